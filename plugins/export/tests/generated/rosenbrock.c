/* C99. To get the same bits as the program that this was made from, compile it without `-ffast-math`, and with
   `-ffp-contract=off` and `-fno-builtin` where the compiler contracts expressions or evaluates functions by itself. */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__clang__) || !defined(__GNUC__)
#pragma STDC FP_CONTRACT OFF
#endif
#if FLT_EVAL_METHOD != 0
#error "floats are computed in more precision than they have"
#endif

/* What happens on failure: it must not return. A program may define it before this file, to leave by `longjmp`. */
#ifndef OVERDUB_FAIL
#define OVERDUB_FAIL(message, at) (fprintf(stderr, "%s, %s\n", (message), (at)), exit(101))
#endif
#if defined(__GNUC__)
#define OVERDUB_COLD __attribute__((noreturn, cold, unused))
#else
#define OVERDUB_COLD
#endif

/* Lengths have 64 bits. */
typedef char size_t_has_64_bits[sizeof(size_t) == 8 ? 1 : -1];

typedef struct VecF64 VecF64;

struct VecF64 {
    double *data;
    size_t len, cap;
};

typedef struct {
    const double *data;
    size_t len;
} SliceF64;

/* Frees the elements. */
static inline void vec_f64_drop(VecF64 *v) {
    free(v->data);
}

/* Ends the program with its message and place, or what the host makes of it: this must not return. */
OVERDUB_COLD static void fail(const char *message, const char *at) {
    OVERDUB_FAIL(message, at);
    abort();
}

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

/* A vector of this length, whose elements have no values yet. */
static inline VecF64 vec_f64_with_len(size_t len) {
    VecF64 v = {0};
    if (len > 0) {
        v.data = allocated(NULL, len, sizeof(double));
        v.len = v.cap = len;
    }
    return v;
}

/* A vector of copies of a value. */
static inline VecF64 vec_f64_repeat(double x, size_t len) {
    VecF64 v = vec_f64_with_len(len);
    for (size_t i = 0; i < len; i++) {
        v.data[i] = x;
    }
    return v;
}

/* The difference modulo the width, and whether it fits. */
static inline bool sub_fits_usize(size_t x, size_t y, size_t *result) {
    *result = (size_t)((uint64_t)x - (uint64_t)y);
    return x >= y;
}

/* The difference, which has to fit. */
static inline size_t sub_usize(size_t x, size_t y, const char *at) {
    size_t result;
    if (!sub_fits_usize(x, y, &result)) {
        fail("attempt to subtract with overflow", at);
    }
    return result;
}

/* The sum modulo the width, and whether it fits. */
static inline bool add_fits_usize(size_t x, size_t y, size_t *result) {
    *result = (size_t)((uint64_t)x + (uint64_t)y);
    return x <= SIZE_MAX - y;
}

/* The sum, or the largest number. */
static inline size_t add_saturating_usize(size_t x, size_t y) {
    size_t result;
    return add_fits_usize(x, y, &result) ? result : SIZE_MAX;
}

/* The elements from `start`, or none if there are not `len` of them. */
static inline SliceF64 vec_f64_span(SliceF64 v, size_t start, size_t len) {
    bool exist = start <= v.len && len <= v.len - start;
    return (SliceF64){exist ? v.data + start : NULL, exist ? len : 0};
}

/* The elements from `start`, or none if there are not `len` of them, or so few that a loop over them gains nothing. */
static inline SliceF64 vec_f64_long_span(SliceF64 v, size_t start, size_t len) {
    return vec_f64_span(v, start, len < 16 ? SIZE_MAX : len);
}

/* The elements of a vector from `start`, or none if there are not `len` of them. */
static inline VecF64 vec_f64_span_mut(VecF64 *v, size_t start, size_t len) {
    VecF64 span = {0};
    if (start <= v->len && len <= v->len - start) {
        span.data = v->data + start;
        span.len = len;
    }
    return span;
}

/* The elements of a vector from `start`, or none if there are not `len` of them, or so few that a loop over them gains nothing. */
static inline VecF64 vec_f64_long_span_mut(VecF64 *v, size_t start, size_t len) {
    return vec_f64_span_mut(v, start, len < 16 ? SIZE_MAX : len);
}

/* The product, but zero if a factor is zero, even if the other is infinite or not a number. */
static inline double mul_zero_f64(double x, double y) {
    double product = x * y;
    return isnan(product) && (x == 0 || y == 0) ? 0 : product;
}

/* The gradient of `rosenbrock`. */
VecF64 rosenbrock_gradient(const double *x, size_t x_len) {
    size_t t1 = x_len;
    VecF64 dx = vec_f64_repeat(0.0, t1);
    /* 4: for i in 0..x.len() - 1 { */
    size_t t2 = sub_usize(t1, 1, "rosenbrock.rs:4:17");
    double carried = 0.0;
    SliceF64 x_part = vec_f64_long_span((SliceF64){x, x_len}, 0, add_saturating_usize(t2, 1));
    VecF64 dx_part = vec_f64_long_span_mut(&dx, 0, t2);
    if (x_part.len == add_saturating_usize(t2, 1) && dx_part.len == t2) {
        for (size_t i = 0; i < t2; i++) {
            /* 5: let a = 1.0 - x[i]; */
            double t3 = x_part.data[i];
            double t4 = 1.0 - t3;
            /* 7: total += a * a + 100.0 * b * b; */
            double t5 = 100.0 * (x_part.data[i + 1] - t3 * t3);
            double t6 = t5 + t5;
            /* 6: let b = x[i + 1] - x[i] * x[i]; */
            double t7 = mul_zero_f64(-t6, t3);
            /* 5: let a = 1.0 - x[i]; */
            double t8 = 0.0 + carried + (t7 + t7 - (t4 + t4));
            dx_part.data[i] = t8;
            carried = t6;
        }
    } else {
        /* 4: for i in 0..x.len() - 1 { */
        for (size_t i2 = 0; i2 < t2; i2++) {
            /* 5: let a = 1.0 - x[i]; */
            double t9 = x[i2];
            double t10 = 1.0 - t9;
            /* 7: total += a * a + 100.0 * b * b; */
            double t11 = 100.0 * (x[i2 + 1] - t9 * t9);
            double t12 = t11 + t11;
            /* 6: let b = x[i + 1] - x[i] * x[i]; */
            double t13 = mul_zero_f64(-t12, t9);
            /* 5: let a = 1.0 - x[i]; */
            double t14 = 0.0 + carried + (t13 + t13 - (t10 + t10));
            dx.data[i2] = t14;
            carried = t12;
        }
    }
    if (t2 < dx.len) {
        dx.data[t2] = 0.0 + carried;
    }
    return dx;
}
