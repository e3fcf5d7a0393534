# Part of gpu.sh: the works that bench and peers measure.

# Prints name, pipeline, batch and precision of each work, the most important work first. --quick has one work in 32 and
# one in 16 bits.
works() {
    if [ -n "$quick" ]; then
        printf '%s\n' "tiny-1 tiny 1 float32" "tiny-1-bf16 tiny 1 mixed_bfloat16"
        return
    fi
    printf '%s\n' "article-8 article 8 mixed_bfloat16" "article-64 article 64 mixed_bfloat16" \
        "resnet50-128 resnet50 128 mixed_float16" "article-1 article 1 mixed_bfloat16" \
        "article-32 article 32 mixed_bfloat16"
}

is_wanted() { [ -z "$only" ] || [[ ,$only, == *,$1,* ]]; }

# True for the work that also shows how busy the GPU is, and what deterministic kernels cost.
is_model() { [ "$1" = article-8 ] || [ "$1" = tiny-1 ]; }
