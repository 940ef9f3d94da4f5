/// The style sheet of the HTML report.
enum HTMLStyle {
  static let text = """

    :root{--bg:#fbfbfa;--card:#fff;--ink:#1d1f23;--dim:#676c76;--rule:#e4e5e8;--good:#1a7f4b;--idle:#8d95a3;
    --warn:#a96800;--bad:#c62f3b;--blue:#2f6fde;--area:#2f6fde22;--violet:#8355d6;--teal:#1d9a9a;--wait:#d99a28;
    --hint:#fff7e3;--shadow:0 1px 2px #0000000d,0 2px 8px #0000000a}
    @media (prefers-color-scheme:dark){:root{--bg:#131518;--card:#1c1f24;--ink:#e7e9ec;--dim:#99a0ab;--rule:#2e3239;
    --good:#4cc38a;--idle:#6f7785;--warn:#e5a83b;--bad:#f2727b;--blue:#6ea1ff;--area:#6ea1ff26;--violet:#b08bff;
    --teal:#4cc9c9;--wait:#e5a83b;--hint:#2b2618;--shadow:none}}
    *{box-sizing:border-box}
    body{margin:0 auto;padding:2.5rem clamp(1rem,4vw,3rem) 2rem;max-width:78rem;background:var(--bg);color:var(--ink);
    font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif;
    font-variant-numeric:tabular-nums}
    code{font:.92em ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
    h1{margin:.35rem 0 .1rem;font-size:1.75rem;line-height:1.2;overflow-wrap:anywhere}
    h2{margin:2.2rem 0 .7rem;font-size:1.05rem}
    p{margin:0}.dim,footer,figcaption{color:var(--dim)}
    .run+.run{margin-top:4rem;border-top:2px solid var(--rule);padding-top:2.5rem}
    footer{margin-top:3rem;font-size:.85rem}figcaption{font-size:.85rem;margin-top:.3rem}
    .pill{display:inline-block;padding:.15rem .7rem;border-radius:9rem;font-weight:600;font-size:.85rem;color:#fff;
    background:var(--c)}.good{--c:var(--good)}.warn{--c:var(--warn)}.bad{--c:var(--bad)}.idle{--c:var(--idle)}
    @media (prefers-color-scheme:dark){.pill{color:#131518}}
    .k-downloaded{--c:var(--good)}.k-reused{--c:var(--idle)}.k-conflict{--c:var(--warn)}.k-failed{--c:var(--bad)}
    .k-held,.k-pending,.k-canceled{--c:var(--violet)}.k-handedOver{--c:var(--teal)}.k-all{--c:var(--ink)}
    .cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:.7rem;margin-top:1.4rem}
    .card{background:var(--card);border:1px solid var(--rule);border-radius:.7rem;padding:.8rem 1rem .7rem;
    box-shadow:var(--shadow)}
    .card b{display:block;font-size:1.7rem;line-height:1.15;font-weight:650;color:var(--c,var(--ink))}
    .card small{font-size:.95rem;font-weight:500;margin-left:.25rem}.card span{color:var(--dim);font-size:.88rem}
    .card.none b{color:var(--dim);font-weight:400}
    .shares{display:flex;gap:2px;height:.5rem;margin-top:.9rem;border-radius:9rem;overflow:hidden}
    .shares i{background:var(--c);min-width:3px;flex-basis:0}
    .trouble{background:var(--card);border:1px solid var(--rule);border-left:4px solid var(--c);border-radius:.6rem;
    padding:.8rem 1.1rem;margin-bottom:.7rem;box-shadow:var(--shadow)}
    .trouble h3{margin:0;font-size:1rem}.trouble h3 code{color:var(--c)}
    .trouble h3 span{color:var(--dim);font-weight:400;margin-left:.4rem}
    .hint{background:var(--hint);border-radius:.4rem;padding:.3rem .7rem;margin:.45rem 0}
    .hint::before{content:"What to do: ";font-weight:600}
    pre{margin:.3rem 0 0;overflow-x:auto;font:.88em/1.35 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",
    monospace;color:var(--dim)}
    ul{margin:.4rem 0 0;padding:0;list-style:none}
    li{padding:.4rem 0;border-top:1px solid var(--rule);overflow-wrap:anywhere}li:first-child{border-top:0}
    .url{font-size:.85rem;color:var(--dim)}a{color:inherit}
    details{margin-top:.3rem}summary{cursor:pointer;color:var(--blue)}
    .plot{background:var(--card);border:1px solid var(--rule);border-radius:.7rem;padding:1rem 1.1rem .7rem;margin:0;
    box-shadow:var(--shadow)}
    .field{position:relative}.field svg{display:block;width:100%;height:10rem;overflow:visible}
    .level{position:absolute;left:0;right:0;border-top:1px dashed var(--rule)}
    .level em{position:absolute;right:100%;top:-.75em;margin-right:.6rem;font-style:normal;font-size:.78rem;
    color:var(--dim);white-space:nowrap}.scaled{margin-left:4.6rem;padding-top:.5rem}
    .area{fill:var(--area)}.line{fill:none;stroke:var(--blue);stroke-width:1.6;vector-effect:non-scaling-stroke;
    stroke-linejoin:round}
    .axis{position:relative;height:1.4rem;border-top:1px solid var(--rule);font-size:.78rem;color:var(--dim)}
    .axis span{position:absolute;padding-left:.25rem;border-left:1px solid var(--rule);line-height:1.4rem;
    white-space:nowrap}.axis .last{transform:translateX(-100%);border-left:0;padding-right:.25rem}
    .legend{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;margin-bottom:.6rem;font-size:.85rem;color:var(--dim)}
    .legend i{display:inline-block;width:.8rem;height:.8rem;border-radius:2px;margin-right:.4rem;
    vertical-align:-.08rem;position:static}.legend .x{width:3px;border-radius:0}
    .g{background:var(--blue);stroke:var(--blue)}.v{background:var(--violet);stroke:var(--violet)}
    .u{background:var(--teal);stroke:var(--teal)}.x{background:var(--bad);stroke:var(--bad)}
    .w{background:repeating-linear-gradient(115deg,var(--wait) 0 2px,transparent 2px 5px);stroke:var(--wait)}
    .rows{max-height:34rem;overflow-y:auto;scrollbar-gutter:auto}
    .rows>div{display:grid;grid-template-columns:19rem 1fr;gap:.8rem;align-items:center;height:1.35rem}
    .named{padding-left:19.8rem}
    .rows b{font-weight:400;font-size:.84rem;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;direction:rtl;
    text-align:left}
    .rows span{position:relative;height:100%;background:linear-gradient(var(--rule),var(--rule)) center/100% 1px
    no-repeat}
    .rows i{position:absolute;top:.22rem;bottom:.22rem;min-width:2px;border-radius:2px}
    .rows .x{width:3px;top:0;bottom:0;border-radius:0}
    .lanes path{fill:none;stroke-width:8}.lanes .w{stroke-width:3}
    .dense path{stroke-width:10}.dense .w{stroke-width:10;opacity:.8}
    .lanes .x{stroke-width:2;vector-effect:non-scaling-stroke}
    .files fieldset{border:0;padding:0;margin:0 0 .6rem;display:flex;flex-wrap:wrap;gap:.4rem;align-items:center}
    .files legend{display:none}
    .files label{cursor:pointer;border:1px solid var(--rule);border-radius:9rem;padding:.1rem .8rem;font-size:.88rem;
    background:var(--card)}
    .files label small{color:var(--dim)}.files label:has(:checked){border-color:var(--c);color:var(--c)}
    .files label:has(:focus-visible){outline:2px solid var(--blue)}
    .files input[type=radio]{position:absolute;opacity:0;pointer-events:none}
    .files input[type=search]{font:inherit;font-size:.88rem;color:inherit;background:var(--card);margin-left:auto;
    border:1px solid var(--rule);border-radius:9rem;padding:.15rem .9rem;min-width:14rem}
    table{display:block;background:var(--card);border:1px solid var(--rule);border-radius:.7rem;font-size:.88rem;
    box-shadow:var(--shadow);--cols:7.4rem minmax(9rem,1fr) 5.2rem 5.2rem 5.2rem 6rem 2.6rem 6rem}
    table.queues{--cols:7.4rem minmax(9rem,1fr) 5rem 5.2rem 5.2rem 5.2rem 6rem 2.6rem 6rem}
    thead,tbody{display:block}tbody{content-visibility:auto;contain-intrinsic-size:auto 7500px}
    tr{display:grid;grid-template-columns:var(--cols);gap:.9rem;padding:.28rem 1rem;border-top:1px solid var(--rule)}
    thead{position:sticky;top:0;background:var(--card);border-radius:.7rem .7rem 0 0;z-index:1}
    thead tr{border-top:0;border-bottom:1px solid var(--rule)}tbody:nth-child(2) tr:first-child{border-top:0}
    th{text-align:left;font-weight:600;color:var(--dim);white-space:nowrap;padding:.2rem 0}
    th[tabindex]{cursor:pointer}th[aria-sort]{color:var(--ink)}
    th[aria-sort=ascending]::after{content:" ↑"}th[aria-sort=descending]::after{content:" ↓"}
    td{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;padding:0}
    td:nth-child(2){white-space:normal;overflow-wrap:anywhere}td em{font-style:normal;color:var(--dim);margin-left:.6rem}
    th.n,td:nth-last-child(n+2):nth-last-child(-n+6){text-align:right}
    td:last-child{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;
    font-size:.9em;color:var(--dim)}
    td:first-child::before{content:"";display:inline-block;width:.55rem;height:.55rem;border-radius:9rem;
    margin-right:.5rem;background:var(--c)}
    .downloaded{--c:var(--good)}.reused{--c:var(--idle)}.conflict{--c:var(--warn)}.failed{--c:var(--bad)}
    .held,.pending,.canceled{--c:var(--violet)}.handedOver{--c:var(--teal)}
    .failed td:first-child,.conflict td:first-child{color:var(--c);font-weight:600}
    \(filters)
    tr[hidden],tbody[hidden]{display:none}
    @media (max-width:62rem){table,table.queues{--cols:7.4rem minmax(9rem,1fr) 5.6rem 5.6rem}
    table.queues{--cols:7.4rem minmax(9rem,1fr) 6rem 5.6rem 5.6rem}.o,td:nth-last-child(-n+3),
    td:nth-last-child(5){display:none}.rows>div{grid-template-columns:8rem 1fr}.named{padding-left:8.8rem}}
    @media (max-width:40rem){body{padding-top:1.5rem}table,table.queues{--cols:.8rem minmax(0,1fr) 5.2rem}
    th:first-child,td:first-child{font-size:0}td:first-child::before{margin-top:.42rem}td em{display:block;margin:0}
    th:nth-last-child(-n+5),td:nth-last-child(-n+5){display:none}
    table.queues th:nth-child(3),table.queues td:nth-child(3){display:none}
    .files input[type=search]{margin-left:0;flex-basis:100%}.axis span:nth-child(even){display:none}
    .rows>div{grid-template-columns:7rem 1fr}.named{padding-left:7.8rem}}
    @media print{body{max-width:none;padding:0}.rows{max-height:none}tbody{content-visibility:visible}
    .files fieldset{display:none}}

    """

  /// A chosen result hides the rows of all others.
  private static let filters = FileResult.allCases.map {
    ".files:has(.f-\($0.rawValue):checked) tbody tr:not(.\($0.rawValue)){display:none}"
  }.joined(separator: "\n")
}
