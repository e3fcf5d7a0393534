# Completion in bash: the program itself says what is possible; where it says nothing, files are.
_sluice() {
    local word=$2
    local before=("${COMP_WORDS[@]:1:COMP_CWORD-1}")
    if [[ ${COMP_WORDS[COMP_CWORD]} == = ]]; then  # bash cuts words there
        before+=(=)
    fi
    mapfile -t COMPREPLY < <("$1" complete "${before[@]}" "$word" 2>/dev/null)
    if [[ ${COMPREPLY[0]} == *= ]]; then
        compopt -o nospace
    fi
}
complete -o default -F _sluice sluice
