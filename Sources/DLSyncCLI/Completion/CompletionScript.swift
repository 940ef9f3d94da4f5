/// Completions of the shells. All of them ask the program itself, which knows its own options and what is recorded.
///
/// An answer has a line for each candidate, its explanation behind a tab, or `:files`, `:folders`, `:manifests` where the
/// shell is to complete paths.
enum CompletionScript {
  static let bash = #"""
    # Completion of dlsync for bash. Load it with: source <(dlsync completions bash)
    _dlsync() {
      local cur="${COMP_WORDS[COMP_CWORD]}" line value
      local -a words=("${COMP_WORDS[@]:1:COMP_CWORD}")
      [[ $cur == = ]] && cur=
      COMPREPLY=()
      while IFS= read -r line; do
        case $line in
          :files) compopt -o filenames; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$cur") ;;
          :folders) compopt -o filenames; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$cur") ;;
          :manifests)
            compopt -o filenames
            mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$cur"; compgen -f -X '!*.y?(a)ml' -- "$cur") ;;
          ?*)
            printf -v value %q "${line%%$'\t'*}"
            COMPREPLY+=("$value") ;;
        esac
      done < <("${COMP_WORDS[0]}" completions candidates -- "${words[@]}" 2>/dev/null)
    }
    shopt -s extglob
    complete -F _dlsync dlsync

    """#

  static let zsh = #"""
    #compdef dlsync
    # Completion of dlsync for zsh. Load it with: source <(dlsync completions zsh), after compinit.
    _dlsync() {
      local line
      local -a values lines
      lines=("${(@f)$("${(Q)words[1]}" completions candidates -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
      # A path may stand behind `--name=`, in one word with it.
      [[ $lines[1] == :* ]] && compset -P '--*='
      for line in "${lines[@]}"; do
        case $line in
          (:files) _files ;;
          (:folders) _files -/ ;;
          (:manifests) _files -g '*.(yaml|yml)(-.)' ;;
          (?*) values+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
        esac
      done
      (( ${#values} )) && _describe -t values dlsync values
    }
    if [[ $funcstack[1] == _dlsync ]]; then _dlsync "$@"; else compdef _dlsync dlsync; fi

    """#

  static let fish = #"""
    # Completion of dlsync for fish. Load it with: dlsync completions fish | source
    function __dlsync_candidates
      set -l words (commandline -opc)
      set -l current (commandline -ct)
      for line in ($words[1] completions candidates -- $words[2..-1] "$current" 2>/dev/null)
        switch $line
          case :files
            __fish_complete_suffix ''
          case :folders
            __fish_complete_directories "$current" ''
          case :manifests
            __fish_complete_suffix .yaml
          case '*'
            echo $line
        end
      end
    end
    complete -c dlsync -f -a '(__dlsync_candidates)'

    """#
}
