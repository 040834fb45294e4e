//// plain fail
/* Ends the program with its message and place, or what the host makes of it: this must not return. */
OVERDUB_COLD static void fail(const char *message, const char *at) {
    OVERDUB_FAIL(message, at);
    abort();
}
//// plain fail_text
/* Fails with a text as the message. */
OVERDUB_COLD static void fail_text(TextView text, const char *at) {
    char *message = allocated(NULL, text.len + 1, 1);
    if (text.len > 0) {
        memcpy(message, text.data, text.len);
    }
    message[text.len] = 0;
    fail(message, at);
}
//// plain fail_with
/* Fails with a message that contains two numbers. */
OVERDUB_COLD static void fail_with(const char *format, size_t x, size_t y, const char *at) {
    char message[160];
    snprintf(message, sizeof message, format, x, y);
    fail(message, at);
}
//// plain at_index
/* An index, which must be less than the length. */
static inline size_t at_index(size_t i, size_t len, const char *at) {
    if (i >= len) {
        fail_with("index out of bounds: the len is %zu but the index is %zu", len, i, at);
    }
    return i;
}
//// plain check_range
/* Checks a range of indices. */
static inline void check_range(size_t from, size_t to, size_t len, const char *at) {
    if (from > len) {
        fail_with("range start index %zu out of range for slice of length %zu", from, len, at);
    }
    if (to > len) {
        fail_with("range end index %zu out of range for slice of length %zu", to, len, at);
    }
    if (from > to) {
        fail_with("slice index starts at %zu but ends at %zu", from, to, at);
    }
}
//// plain check_variant
/* Fails if an enum has another variant than the program expects. */
static inline void check_variant(bool is_expected, const char *at) {
    if (!is_expected) {
        fail("internal error: entered unreachable code", at);
    }
}
//// plain allocated
/* Memory for elements, to which what was in the old memory is moved. */
static void *allocated(void *old, size_t count, size_t size) {
    if (count > SIZE_MAX / 2 / size) {
        fail("capacity overflow", "in the memory allocator");
    }
    void *memory = realloc(old, count * size);
    if (memory == NULL) {
        fail("memory allocation failed", "in the memory allocator");
    }
    return memory;
}
//// plain compare_int
/* The order of two numbers, as -1, 0 or 1. */
#define compare_int(x, y) (((x) > (y)) - ((x) < (y)))
//// plain compare_text
/* The order of two texts, as -1, 0 or 1. */
static inline int compare_text(TextView x, TextView y) {
    size_t len = x.len < y.len ? x.len : y.len;
    int order = len > 0 ? memcmp(x.data, y.data, len) : 0;
    return order != 0 ? (order > 0) - (order < 0) : compare_int(x.len, y.len);
}
//// plain equal_text
/* Whether two texts are the same. */
static inline bool equal_text(TextView x, TextView y) {
    return x.len == y.len && (x.len == 0 || memcmp(x.data, y.data, x.len) == 0);
}
//// plain sum
/* The sum, by eight partial sums. */
static double sum(const double *values, size_t len) {
    double parts[8] = {0};
    size_t i = 0;
    for (; i + 8 <= len; i += 8) {
        for (size_t k = 0; k < 8; k++) {
            parts[k] += values[i + k];
        }
    }
    double total = 0.0;
    for (size_t k = 0; k < 4; k++) {
        total += parts[k] + parts[k + 4];
    }
    for (; i < len; i++) {
        total += values[i];
    }
    return total;
}
//// plain broadcast_len
/* The length of an operation on two vectors, of which one of length 1 is repeated. */
static inline size_t broadcast_len(size_t x, size_t y, const char *at) {
    if (x != y && x != 1 && y != 1) {
        fail_with("could not broadcast array from shape: [%zu] to: [%zu]", y, x, at);
    }
    return x == 1 ? y : x;
}
