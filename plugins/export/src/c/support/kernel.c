//// kernel fail
/* Ends the call for this element, whose failure the host reports. */
OVERDUB_COLD static void fail(const char *message, const char *at) {
    (void)message;
    (void)at;
    overdub_leave(OVERDUB_FAILED);
}
//// kernel fail_text
/* Ends the call for this element, whose failure the host reports. */
OVERDUB_COLD static void fail_text(TextView text, const char *at) {
    (void)text;
    fail("", at);
}
//// kernel fail_with
/* Ends the call for this element, whose failure the host reports. */
OVERDUB_COLD static void fail_with(const char *format, size_t x, size_t y, const char *at) {
    (void)x;
    (void)y;
    fail(format, at);
}
//// kernel allocated
/* Memory for elements, to which what was in the old memory is moved. */
static inline OverdubMemory allocated(void *old, size_t count, size_t size) {
    if (count > SIZE_MAX / 2 / size) {
        overdub_leave(OVERDUB_FAILED);
    }
    return OverdubMemory{overdub_allocate(old, count * size)};
}
//// kernel_real clamped
/* A number clamped to two bounds, which must be in order. */
static inline REAL clamped_REAL(REAL x, REAL min, REAL max, const char *at) {
    if (!(min <= max)) {
        fail("", at);
    }
    if (x < min) {
        return min;
    }
    return x > max ? max : x;
}
