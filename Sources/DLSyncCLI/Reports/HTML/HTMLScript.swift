/// What the HTML report can do beyond being read: sort by a column, and search.
enum HTMLScript {
  /// The digest that the page's policy names, SHA-256 in base64; a test compares.
  static let digest = "YBCe1M4yJYsYi+Aq2DupBEZoFt91eYD64/fI/mo2o7M="

  static let text = """

    "use strict";
    (() => {
      const units = {B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40, PiB: 2 ** 50, EiB: 2 ** 60,
        s: 1, min: 60, h: 3600};
      const amount = text => {
        let sum = 0;
        for (const part of text.matchAll(/([0-9.]+) ?([A-Za-z]*)/g)) sum += part[1] * (units[part[2]] ?? 1);
        return text ? sum : -1;
      };
      const order = new Intl.Collator("en", {numeric: true});
      for (const files of document.querySelectorAll(".files")) {
        const table = files.querySelector("table");
        const head = table.tHead.rows[0];
        const rows = [...table.tBodies].flatMap(body => [...body.rows]);
        const size = Math.max(1, table.tBodies[0].rows.length);
        const lay = rows => {
          [...table.tBodies].forEach((body, index) => body.append(...rows.slice(index * size, (index + 1) * size)));
        };
        const sort = (cell, index) => {
          const number = cell.classList.contains("n");
          const before = cell.getAttribute("aria-sort");
          for (const other of head.cells) if (other !== cell) other.removeAttribute("aria-sort");
          // Numbers begin with the largest, words with the first.
          const descending = before ? before === "ascending" : number;
          cell.setAttribute("aria-sort", descending ? "descending" : "ascending");
          const keys = rows.map(row => {
            const text = row.cells[index].textContent;
            return {row, key: number ? amount(text) : text};
          });
          keys.sort((a, b) => number ? a.key - b.key : order.compare(a.key, b.key));
          if (descending) keys.reverse();
          lay(keys.map(entry => entry.row));
        };
        [...head.cells].forEach((cell, index) => {
          cell.tabIndex = 0;
          cell.addEventListener("click", () => sort(cell, index));
          cell.addEventListener("keydown", event => {
            if (event.key === "Enter" || event.key === " ") { event.preventDefault(); sort(cell, index); }
          });
        });
        if (rows.length < 2) continue;
        const search = document.createElement("input");
        search.type = "search";
        search.placeholder = "find a file or URL";
        search.setAttribute("aria-label", search.placeholder);
        let texts;
        let timer;
        search.addEventListener("input", () => {
          clearTimeout(timer);
          timer = setTimeout(() => {
            texts ??= rows.map(row => (row.textContent + " " + row.cells[1].title).toLowerCase());
            const words = search.value.toLowerCase().split(/\\s+/);
            rows.forEach((row, index) => { row.hidden = !words.every(word => texts[index].includes(word)); });
          }, 120);
        });
        files.querySelector("fieldset").append(search);
      }
    })();

    """
}
