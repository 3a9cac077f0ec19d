/** For fish 3 and newer. */
export const fishScript = String.raw`# Completion of kubectl-mc for fish.
# Put this into ~/.config/fish/completions/kubectl-mc.fish

function __kubectl_mc_complete
    set -l words (commandline -opc)
    set -e words[1]
    set -l current (commandline -ct)
    set -l lines (kubectl-mc __complete -- $words "$current" 2>/dev/null)
    test (count $lines) -gt 0; or return
    set -l directive (string replace -r '^:' '' -- $lines[-1])
    set -e lines[-1]

    # Of a flag with its value, fish completes the whole word.
    set -l before (string match -r '^-[^=]*=' -- $current)
    if test (count $lines) -gt 0
        for line in $lines
            printf '%s%s\n' "$before" "$line"
        end
    else if test (math "floor($directive / 16) % 2") -eq 1
        __fish_complete_directories (string replace -- "$before" '' "$current")
    else if test (math "floor($directive / 4) % 2") -eq 0
        __fish_complete_path (string replace -- "$before" '' "$current")
    end
end

complete -c kubectl-mc -f -a '(__kubectl_mc_complete)'
`;
