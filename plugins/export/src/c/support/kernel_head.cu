// A kernel in CUDA C++ that calls a function for many elements, one thread each. It includes nothing, so that NVRTC
// compiles it; where OVERDUB_ON_HOST is defined, a C++ compiler makes a program of it that runs the same calls one by one.
#ifdef OVERDUB_ON_HOST
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#define __global__
#define __device__
using std::isfinite;
using std::isinf;
using std::isnan;
using std::isnormal;
using std::signbit;
#else
#define __extension__
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef decltype((char *)0 - (char *)0) ptrdiff_t;
#define INT8_MIN (-128)
#define INT8_MAX 127
#define INT16_MIN (-32768)
#define INT16_MAX 32767
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define INT64_MIN (-9223372036854775807LL - 1)
#define INT64_MAX 9223372036854775807LL
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295u
#define UINT64_MAX 18446744073709551615ull
#define SIZE_MAX ((size_t)UINT64_MAX)
#define PTRDIFF_MIN ((ptrdiff_t)INT64_MIN)
#define PTRDIFF_MAX ((ptrdiff_t)INT64_MAX)
#define FLT_MAX 3.40282347e+38f
#define FLT_MIN 1.17549435e-38f
#define FLT_EPSILON 1.19209290e-7f
#define DBL_MAX 1.7976931348623157e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
#define NULL 0
#define isnormal(x) (isfinite(x) && fabs((double)(x)) >= (sizeof(x) == 4 ? (double)FLT_MIN : DBL_MIN))
/* They are constant expressions, for tables. */
#define NAN __builtin_bit_cast(float, 0x7fffffff)
#define INFINITY __builtin_bit_cast(float, 0x7f800000)
#endif
#define OVERDUB_COLD [[noreturn]] __attribute__((unused))

/* What became of the call for an element. */
enum {
    OVERDUB_DONE,
    /* It fails, as it does on the host. */
    OVERDUB_FAILED,
    /* It needs more memory than it was given. */
    OVERDUB_NO_MEMORY,
    /* Its result takes more bytes than there is room for. */
    OVERDUB_NO_ROOM,
    /* Its calls nest too deeply for the stack. */
    OVERDUB_TOO_DEEP
};

/* An argument of all elements: packed values, which begin at offsets or follow each other at a distance. */
struct OverdubColumn {
    const unsigned char *data;
    const uint64_t *offsets;
    uint64_t stride;
};

/* The calls of a launch. */
struct OverdubLaunch {
    const OverdubColumn *columns;
    uint64_t len;
    unsigned char *results;
    uint64_t room;
    unsigned char *status;
    unsigned char *memory;
    uint64_t memory_each;
    /* The bytes of stack that calls may use. */
    uint64_t stack;
};

#ifdef OVERDUB_ON_HOST
static OverdubLaunch overdub_launch;
static uint64_t overdub_host_element;
struct OverdubLeft {};
static inline uint64_t overdub_element() { return overdub_host_element; }
OVERDUB_COLD static void overdub_leave(unsigned char status) {
    overdub_launch.status[overdub_element()] = status;
    throw OverdubLeft();
}
#else
extern "C" __device__ OverdubLaunch overdub_launch;
OverdubLaunch overdub_launch;
static inline uint64_t overdub_element() { return (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; }
OVERDUB_COLD static void overdub_leave(unsigned char status) {
    overdub_launch.status[overdub_element()] = status;
    asm volatile("exit;");
    __builtin_unreachable();
}
#endif

/* Memory of any type. */
struct OverdubMemory {
    void *place;
    template <typename T> operator T *() const { return (T *)place; }
};

/* The memory of an element is handed out from its beginning. Blocks have sizes of powers of two after two words, of which
   the first holds their exponent; freed ones of a size are a list, whose first one is noted at the beginning of the memory.
   All of it is aligned for numbers of 128 bits. */
#define OVERDUB_SIZES 41
static inline unsigned char *overdub_memory() {
    return overdub_launch.memory + overdub_element() * overdub_launch.memory_each;
}
static inline void overdub_begin() {
    if (overdub_launch.memory_each > 0) {
        uint64_t *head = (uint64_t *)overdub_memory();
        head[0] = 8 * (OVERDUB_SIZES + 3);
        volatile char base = 0;
        head[OVERDUB_SIZES + 1] = (uint64_t)(size_t)&base;
        for (int size = 0; size < OVERDUB_SIZES; size++) {
            head[size + 1] = 0;
        }
    }
}
static inline void overdub_free(void *place) {
    if (place != NULL) {
        uint64_t *head = (uint64_t *)overdub_memory(), *block = (uint64_t *)place - 2;
        uint64_t size = block[0];
        block[1] = head[size + 1];
        head[size + 1] = (uint64_t)((unsigned char *)block - (unsigned char *)head);
    }
}
static void *overdub_allocate(void *old, size_t bytes) {
    uint64_t *head = (uint64_t *)overdub_memory();
    uint64_t size = 4, had = old != NULL ? (uint64_t)1 << ((uint64_t *)old)[-2] : 0;
    if (old != NULL && bytes <= had) {
        return old;
    }
    while (size < OVERDUB_SIZES && ((uint64_t)1 << size) < bytes) {
        size++;
    }
    if (size >= OVERDUB_SIZES || overdub_launch.memory_each == 0) {
        overdub_leave(OVERDUB_NO_MEMORY);
    }
    uint64_t at = head[size + 1];
    if (at != 0) {
        head[size + 1] = ((uint64_t *)((unsigned char *)head + at))[1];
    } else {
        at = head[0];
        if (16 + ((uint64_t)1 << size) > overdub_launch.memory_each - at) {
            overdub_leave(OVERDUB_NO_MEMORY);
        }
        head[0] = at + 16 + ((uint64_t)1 << size);
    }
    uint64_t *block = (uint64_t *)((unsigned char *)head + at);
    block[0] = size;
    if (old != NULL) {
        memcpy(block + 2, old, had);
        overdub_free(old);
    }
    return block + 2;
}

/* The frame of a call that may nest: how far it is from the first one is the stack that is used. */
struct OverdubFrame {
    OverdubFrame() {
        volatile char here = 0;
        uint64_t base = ((uint64_t *)overdub_memory())[OVERDUB_SIZES + 1], at = (uint64_t)(size_t)&here;
        if ((base > at ? base - at : at - base) > overdub_launch.stack) {
            overdub_leave(OVERDUB_TOO_DEEP);
        }
    }
};
#define free(place) overdub_free(place)
#ifndef OVERDUB_ON_HOST
static inline void *overdub_move(void *to, const void *from, size_t bytes) {
    unsigned char *target = (unsigned char *)to;
    const unsigned char *source = (const unsigned char *)from;
    if (target < source) {
        for (size_t at = 0; at < bytes; at++) {
            target[at] = source[at];
        }
    } else {
        for (size_t at = bytes; at > 0; at--) {
            target[at - 1] = source[at - 1];
        }
    }
    return to;
}
#define memmove(to, from, bytes) overdub_move(to, from, bytes)
static inline int overdub_compare(const void *x, const void *y, size_t bytes) {
    for (size_t at = 0; at < bytes; at++) {
        int order = ((const unsigned char *)x)[at] - ((const unsigned char *)y)[at];
        if (order != 0) {
            return order;
        }
    }
    return 0;
}
#define memcmp(x, y, bytes) overdub_compare(x, y, bytes)
#endif

/* Reads a packed number: each takes whole words of 64 bits. */
template <typename T> static inline T overdub_read(const unsigned char **at) {
    T x;
    if (sizeof(T) <= 8) {
        x = *(const T *)*at;
    } else {
        /* It is aligned for words. */
        for (size_t word = 0; word < sizeof(T) / 8; word++) {
            ((uint64_t *)&x)[word] = ((const uint64_t *)*at)[word];
        }
    }
    *at += (sizeof(T) + 7) / 8 * 8;
    return x;
}

/* Where a result is written. */
struct OverdubResult {
    unsigned char *at, *end;
};
static inline unsigned char *overdub_room(OverdubResult *result, size_t bytes) {
    unsigned char *at = result->at;
    size_t padded = (bytes + 7) / 8 * 8;
    if (padded > (size_t)(result->end - at)) {
        overdub_leave(OVERDUB_NO_ROOM);
    }
    result->at += padded;
    return at;
}
template <typename T> static inline void overdub_write(OverdubResult *result, T x) {
    unsigned char *at = overdub_room(result, sizeof(T));
    if (sizeof(T) <= 8) {
        *(T *)at = x;
    } else {
        for (size_t word = 0; word < sizeof(T) / 8; word++) {
            ((uint64_t *)at)[word] = ((const uint64_t *)&x)[word];
        }
    }
}
static inline const unsigned char *overdub_argument(size_t number) {
    const OverdubColumn *column = overdub_launch.columns + number;
    uint64_t element = overdub_element();
    return column->data + (column->offsets != NULL ? column->offsets[element] : element * column->stride);
}
