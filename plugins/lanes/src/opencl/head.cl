// A kernel in OpenCL C that computes a function for many elements, a work item each.
#ifdef OVERDUB_ON_HOST
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#define __kernel static
#define __global
#define __constant static const
typedef unsigned long ulong;
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned char uchar;
static ulong overdub_host_element;
static inline ulong get_global_id(uint) { return overdub_host_element; }
template <typename T, typename F> static inline T overdub_as(F x) {
    T y;
    static_assert(sizeof x == sizeof y, "the same bits");
    memcpy(&y, &x, sizeof y);
    return y;
}
#define as_ulong(x) overdub_as<ulong>((double)(x))
#define as_uint(x) overdub_as<uint>((float)(x))
#define as_double(x) overdub_as<double>((ulong)(x))
#define as_float(x) overdub_as<float>((uint)(x))
static inline ulong mul_hi(ulong x, ulong y) { return (ulong)((unsigned __int128)x * y >> 64); }
static inline long mul_hi(long x, long y) { return (long)((__int128)x * y >> 64); }
static inline ulong popcount(ulong x) { return (ulong)__builtin_popcountl(x); }
static inline ulong clz(ulong x) { return x == 0 ? 64 : (ulong)__builtin_clzl(x); }
using std::isfinite;
using std::isinf;
using std::isnan;
#elif defined(__CUDACC__)
#define __kernel extern "C" __global__
#define __global
#define __constant static const __device__
typedef unsigned long long ulong;
#define long long long
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned char uchar;
static inline ulong get_global_id(uint) { return (ulong)blockIdx.x * blockDim.x + threadIdx.x; }
static inline ulong as_ulong(double x) { return (ulong)__double_as_longlong(x); }
static inline uint as_uint(float x) { return __float_as_uint(x); }
static inline double as_double(ulong x) { return __longlong_as_double((long)x); }
static inline float as_float(uint x) { return __uint_as_float(x); }
static inline ulong mul_hi(ulong x, ulong y) { return __umul64hi(x, y); }
static inline long mul_hi(long x, long y) { return __mul64hi(x, y); }
static inline ulong popcount(ulong x) { return (ulong)__popcll(x); }
static inline ulong clz(ulong x) { return (ulong)__clzll((long)x); }
#else
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
#endif

/* What became of a work item. */
#define OVERDUB_DONE 0
#define OVERDUB_FAILED 1
#define OVERDUB_NO_MEMORY 2
#define OVERDUB_NO_ROOM 3
#define OVERDUB_LEAVE(what) do { status[element] = what; return; } while (0)

/* An integer modulo the width of its type, extended: `spare` bits are not used. */
#define overdub_signed(x, spare) ((ulong)((long)((x) << (spare)) >> (spare)))
#define overdub_unsigned(x, spare) (((x) << (spare)) >> (spare))

/* The product, but zero if a factor is zero, even if the other is infinite or not a number. */
static inline double overdub_mul_zero(double x, double y) {
    double product = x * y;
    return isnan(product) && (x == 0 || y == 0) ? 0.0 : product;
}
/* The smaller number; the other one if one is not a number. */
static inline double overdub_min(double x, double y) { return isnan(x) || y < x ? y : x; }
/* The larger number; the other one if one is not a number. */
static inline double overdub_max(double x, double y) { return isnan(x) || y > x ? y : x; }
/* The sign as -1 or 1. */
static inline double overdub_signum(double x) { return isnan(x) ? x : copysign(1.0, x); }
/* The inverses of hyperbolic functions, by Rust's formulas. */
static inline double overdub_asinh(double x) {
    double magnitude = fabs(x), inverse = 1 / magnitude;
    return copysign(log1p(magnitude + magnitude / (hypot(1.0, inverse) + inverse)), x);
}
static inline double overdub_acosh(double x) {
    return x < 1 ? as_double(0x7ff8000000000000ul) : log(x + sqrt(x - 1) * sqrt(x + 1));
}
/* An integer power, multiplied in one order. */
static inline double overdub_powi(double x, ulong exponent) {
    int n = (int)exponent;
    uint rest = n < 0 ? 0u - (uint)n : (uint)n;
    double power = 1;
    for (;;) {
        if (rest & 1) {
            power *= x;
        }
        rest >>= 1;
        if (rest == 0) {
            break;
        }
        x *= x;
    }
    return n < 0 ? 1 / power : power;
}
/* Sums and differences of integers of this many bits that stay within their type. */
static inline ulong overdub_within(long x, uint bits) {
    long most = (long)(((ulong)1 << (bits - 1)) - 1);
    return (ulong)(x > most ? most : x < -most - 1 ? -most - 1 : x);
}
static inline ulong overdub_add_signed(ulong x, ulong y, uint bits) {
    ulong sum = x + y;
    bool is_out = ((x ^ sum) & (y ^ sum)) >> 63 != 0;
    return is_out ? (x >> 63) + (~(ulong)0 >> 1) : overdub_within((long)sum, bits);
}
static inline ulong overdub_sub_signed(ulong x, ulong y, uint bits) {
    ulong difference = x - y;
    bool is_out = ((x ^ y) & (x ^ difference)) >> 63 != 0;
    return is_out ? (x >> 63) + (~(ulong)0 >> 1) : overdub_within((long)difference, bits);
}
static inline ulong overdub_add_unsigned(ulong x, ulong y, uint bits) {
    ulong sum = x + y, most = ~(ulong)0 >> (64 - bits);
    return sum < x || sum > most ? most : sum;
}
static inline ulong overdub_sub_unsigned(ulong x, ulong y, uint bits) {
    (void)bits;
    return x < y ? 0 : x - y;
}
/* A float as an integer of this many bits: it saturates, and what is no number is 0. */
static inline ulong overdub_to_signed(double x, uint bits) {
    ulong most = ((ulong)1 << (bits - 1)) - 1;
    double bound = (double)((ulong)1 << (bits - 1));
    return isnan(x) ? 0 : x >= bound ? most : x < -bound ? ~most : (ulong)(long)x;
}
static inline ulong overdub_to_unsigned(double x, uint bits) {
    ulong most = ~(ulong)0 >> (64 - bits);
    return !(x > 0) ? 0 : x >= 2.0 * (double)((ulong)1 << (bits - 1)) ? most : (ulong)x;
}

