/** For zsh; to be sourced, or put into a file of `$fpath` under the name `_kubectl-mc`. `@{` stands for the shell's own. */
export const zshScript = String.raw`#compdef kubectl-mc
# Completion of kubectl-mc for zsh.
# In ~/.zshrc, behind compinit: source <(kubectl-mc completion zsh)

_kubectl-mc() {
    local -a lines values flags
    local line value
    lines=("@{(@f)$(kubectl-mc __complete -- "@{(@)words[2,CURRENT]}" 2>/dev/null)}")
    local -i directive=@{lines[-1]#:}
    lines=("@{(@)lines[1,-2]}")

    for line in "@{lines[@]}"; do
        [[ -z $line ]] && continue
        value=@{line%%$'\t'*}
        value=@{value//:/\\:}
        if [[ $line == *$'\t'* ]]; then
            values+=("$value:@{line#*$'\t'}")
        else
            values+=("$value")
        fi
    done

    # Of a flag with its value, the value is what is completed.
    [[ @{words[CURRENT]} == -*=* ]] && compset -P 1 '*='
    ((directive & 2)) && flags=(-S '')

    if ((directive & 16)); then
        _files -/
    elif ((@{#values} > 0)); then
        _describe -t kubectl-mc kubectl-mc values "@{flags[@]}"
    elif (((directive & 4) == 0)); then
        _files
    fi
}

if [[ "@{funcstack[1]}" == "_kubectl-mc" ]]; then
    _kubectl-mc "$@"
else
    compdef _kubectl-mc kubectl-mc
fi
`.replaceAll('@{', '${');
