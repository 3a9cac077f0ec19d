/**
 * For bash 4 and newer; older ones, such as that of macOS, lack only what is about spaces and files.
 *
 * Bash cuts words at `=` and `:`, which are part of ours: they are put together again by what stands between them in the
 * line, and what was cut off is left out of the answers. `@{` stands for the shell's own.
 */
export const bashScript = String.raw`# Completion of kubectl-mc for bash.
# In ~/.bashrc: source <(kubectl-mc completion bash)

__kubectl_mc_complete() {
    local rest=@{COMP_LINE:0:COMP_POINT} words=() word i
    for ((i = 0; i <= COMP_CWORD; i++)); do
        word=@{COMP_WORDS[i]}
        if ((@{#words[@]} > 0)) && [[ $rest != [[:space:]]* ]]; then
            ((i == COMP_CWORD)) && word=$rest
            words[@{#words[@]} - 1]+=$word
        else
            rest=@{rest#"@{rest%%[![:space:]]*}"}
            ((i == COMP_CWORD)) && word=$rest
            words+=("$word")
        fi
        rest=@{rest#"$word"}
    done

    local current=@{words[@{#words[@]} - 1]}
    [[ $current == -*=* ]] && current=@{current#*=}

    local line value directive=0
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ $line == :* ]]; then
            directive=@{line#:}
            continue
        fi
        value=@{line%%$'\t'*}
        [[ $value == "$current"* ]] && COMPREPLY+=("$value")
    done < <(kubectl-mc __complete -- "@{words[@]:1}" 2>/dev/null)

    if type compopt >/dev/null 2>&1; then
        ((directive & 2)) && compopt -o nospace
        if ((directive & 16)); then
            compopt -o dirnames
        elif (((directive & 4) == 0)); then
            compopt -o default
        fi
    fi

    local char head
    for char in : =; do
        if [[ $current == *"$char"* && $COMP_WORDBREAKS == *"$char"* ]]; then
            head=@{current%"@{current##*"$char"}"}
            COMPREPLY=("@{COMPREPLY[@]#"$head"}")
        fi
    done
}

complete -F __kubectl_mc_complete kubectl-mc
`.replaceAll('@{', '${');
