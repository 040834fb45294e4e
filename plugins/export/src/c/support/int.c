//// signed add_fits
/* The sum modulo the width, and whether it fits. */
static inline bool add_fits_INT(INT x, INT y, INT *result) {
    *result = (INT)((WIDE)x + (WIDE)y);
    return y < 0 ? x >= MIN - y : x <= MAX - y;
}
//// unsigned add_fits
/* The sum modulo the width, and whether it fits. */
static inline bool add_fits_INT(INT x, INT y, INT *result) {
    *result = (INT)((WIDE)x + (WIDE)y);
    return x <= MAX - y;
}
//// signed sub_fits
/* The difference modulo the width, and whether it fits. */
static inline bool sub_fits_INT(INT x, INT y, INT *result) {
    *result = (INT)((WIDE)x - (WIDE)y);
    return y < 0 ? x <= MAX + y : x >= MIN + y;
}
//// unsigned sub_fits
/* The difference modulo the width, and whether it fits. */
static inline bool sub_fits_INT(INT x, INT y, INT *result) {
    *result = (INT)((WIDE)x - (WIDE)y);
    return x >= y;
}
//// signed mul_fits
/* The product modulo the width, and whether it fits. */
static inline bool mul_fits_INT(INT x, INT y, INT *result) {
    *result = (INT)((WIDE)x * (WIDE)y);
    if (x > 0) {
        return y > 0 ? x <= MAX / y : y >= MIN / x;
    }
    return y > 0 ? x >= MIN / y : x == 0 || y >= MAX / x;
}
//// unsigned mul_fits
/* The product modulo the width, and whether it fits. */
static inline bool mul_fits_INT(INT x, INT y, INT *result) {
    *result = (INT)((WIDE)x * (WIDE)y);
    return y == 0 || x <= MAX / y;
}
//// signed neg_fits
/* The negation modulo the width, and whether it fits. */
static inline bool neg_fits_INT(INT x, INT *result) {
    *result = (INT)(0 - (WIDE)x);
    return x != MIN;
}
//// unsigned neg_fits
/* The negation modulo the width, and whether it fits. */
static inline bool neg_fits_INT(INT x, INT *result) {
    *result = (INT)(0 - (WIDE)x);
    return x == 0;
}
//// int pow_fits
/* A power modulo the width, and whether it fits. */
static inline bool pow_fits_INT(INT x, uint32_t n, INT *result) {
    INT power = 1;
    bool fits = true;
    for (; n > 0; n >>= 1) {
        if (n & 1) {
            fits &= mul_fits_INT(power, x, &power);
        }
        if (n > 1) {
            fits &= mul_fits_INT(x, x, &x);
        }
    }
    *result = power;
    return fits;
}
//// signed div_fits
/* The quotient, and whether it fits. */
static inline bool div_fits_INT(INT x, INT y, INT *result) {
    bool fits = y != 0 && !(x == MIN && y == -1);
    *result = fits ? (INT)(x / y) : x;
    return fits;
}
//// unsigned div_fits
/* The quotient, and whether there is one. */
static inline bool div_fits_INT(INT x, INT y, INT *result) {
    *result = y != 0 ? (INT)(x / y) : 0;
    return y != 0;
}
//// signed rem_fits
/* The remainder, and whether the quotient fits. */
static inline bool rem_fits_INT(INT x, INT y, INT *result) {
    bool fits = y != 0 && !(x == MIN && y == -1);
    *result = fits ? (INT)(x % y) : 0;
    return fits;
}
//// unsigned rem_fits
/* The remainder, and whether there is one. */
static inline bool rem_fits_INT(INT x, INT y, INT *result) {
    *result = y != 0 ? (INT)(x % y) : 0;
    return y != 0;
}
//// signed div_euclid_fits
/* The quotient whose remainder is not negative, and whether it fits. */
static inline bool div_euclid_fits_INT(INT x, INT y, INT *result) {
    if (!div_fits_INT(x, y, result)) {
        return false;
    }
    if (x % y < 0) {
        *result = (INT)(y > 0 ? *result - 1 : *result + 1);
    }
    return true;
}
//// unsigned div_euclid_fits
/* The quotient, and whether there is one. */
static inline bool div_euclid_fits_INT(INT x, INT y, INT *result) {
    return div_fits_INT(x, y, result);
}
//// signed rem_euclid_fits
/* The remainder that is not negative, and whether the quotient fits. */
static inline bool rem_euclid_fits_INT(INT x, INT y, INT *result) {
    bool fits = rem_fits_INT(x, y, result);
    if (*result < 0) {
        *result = (INT)(y < 0 ? *result - y : *result + y);
    }
    return fits;
}
//// unsigned rem_euclid_fits
/* The remainder, and whether there is one. */
static inline bool rem_euclid_fits_INT(INT x, INT y, INT *result) {
    return rem_fits_INT(x, y, result);
}
//// int shl_fits
/* The bits shifted left by the count modulo the width, and whether the count is less. */
static inline bool shl_fits_INT(INT x, uint32_t n, INT *result) {
    *result = (INT)((WIDE)x << n % BITS);
    return n < BITS;
}
//// int shr_fits
/* The number shifted right by the count modulo the width, and whether the count is less. */
static inline bool shr_fits_INT(INT x, uint32_t n, INT *result) {
    *result = (INT)(x < 0 ? ~(~x >> n % BITS) : x >> n % BITS);
    return n < BITS;
}
//// unsigned shr_fits
/* The number shifted right by the count modulo the width, and whether the count is less. */
static inline bool shr_fits_INT(INT x, uint32_t n, INT *result) {
    *result = (INT)(x >> n % BITS);
    return n < BITS;
}
//// int add
/* The sum, which has to fit. */
static inline INT add_INT(INT x, INT y, const char *at) {
    INT result;
    if (!add_fits_INT(x, y, &result)) {
        fail("attempt to add with overflow", at);
    }
    return result;
}
//// int sub
/* The difference, which has to fit. */
static inline INT sub_INT(INT x, INT y, const char *at) {
    INT result;
    if (!sub_fits_INT(x, y, &result)) {
        fail("attempt to subtract with overflow", at);
    }
    return result;
}
//// int mul
/* The product, which has to fit. */
static inline INT mul_INT(INT x, INT y, const char *at) {
    INT result;
    if (!mul_fits_INT(x, y, &result)) {
        fail("attempt to multiply with overflow", at);
    }
    return result;
}
//// int neg
/* The negation, which has to fit. */
static inline INT neg_INT(INT x, const char *at) {
    INT result;
    if (!neg_fits_INT(x, &result)) {
        fail("attempt to negate with overflow", at);
    }
    return result;
}
//// int abs
/* The magnitude, which has to fit. */
static inline INT abs_INT(INT x, const char *at) {
    return x < 0 ? neg_INT(x, at) : x;
}
//// int pow
/* A power, which has to fit. */
static inline INT pow_INT(INT x, uint32_t n, const char *at) {
    INT result;
    if (!pow_fits_INT(x, n, &result)) {
        fail("attempt to multiply with overflow", at);
    }
    return result;
}
//// int div
/* The quotient, which has to exist. */
static inline INT div_INT(INT x, INT y, const char *at) {
    INT result;
    if (!div_fits_INT(x, y, &result)) {
        fail(y == 0 ? "attempt to divide by zero" : "attempt to divide with overflow", at);
    }
    return result;
}
//// int rem
/* The remainder, which has to exist. */
static inline INT rem_INT(INT x, INT y, const char *at) {
    INT result;
    if (!rem_fits_INT(x, y, &result)) {
        fail(y == 0 ? "attempt to calculate the remainder with a divisor of zero"
                    : "attempt to calculate the remainder with overflow", at);
    }
    return result;
}
//// int div_euclid
/* The quotient whose remainder is not negative. */
static inline INT div_euclid_INT(INT x, INT y, const char *at) {
    INT result;
    if (!div_euclid_fits_INT(x, y, &result)) {
        fail(y == 0 ? "attempt to divide by zero" : "attempt to divide with overflow", at);
    }
    return result;
}
//// int rem_euclid
/* The remainder that is not negative. */
static inline INT rem_euclid_INT(INT x, INT y, const char *at) {
    INT result;
    if (!rem_euclid_fits_INT(x, y, &result)) {
        fail(y == 0 ? "attempt to calculate the remainder with a divisor of zero"
                    : "attempt to calculate the remainder with overflow", at);
    }
    return result;
}
//// int shl
/* The bits shifted left by less than the width. */
static inline INT shl_INT(INT x, uint32_t n, const char *at) {
    INT result;
    if (!shl_fits_INT(x, n, &result)) {
        fail("attempt to shift left with overflow", at);
    }
    return result;
}
//// int shr
/* The number shifted right by less than the width. */
static inline INT shr_INT(INT x, uint32_t n, const char *at) {
    INT result;
    if (!shr_fits_INT(x, n, &result)) {
        fail("attempt to shift right with overflow", at);
    }
    return result;
}
//// int add_wrapping
/* The sum modulo the width. */
static inline INT add_wrapping_INT(INT x, INT y) {
    return (INT)((WIDE)x + (WIDE)y);
}
//// int sub_wrapping
/* The difference modulo the width. */
static inline INT sub_wrapping_INT(INT x, INT y) {
    return (INT)((WIDE)x - (WIDE)y);
}
//// int mul_wrapping
/* The product modulo the width. */
static inline INT mul_wrapping_INT(INT x, INT y) {
    return (INT)((WIDE)x * (WIDE)y);
}
//// int neg_wrapping
/* The negation modulo the width. */
static inline INT neg_wrapping_INT(INT x) {
    return (INT)(0 - (WIDE)x);
}
//// int pow_wrapping
/* A power modulo the width. */
static inline INT pow_wrapping_INT(INT x, uint32_t n) {
    INT power = 1;
    for (; n > 0; n >>= 1) {
        if (n & 1) {
            power = (INT)((WIDE)power * (WIDE)x);
        }
        x = (INT)((WIDE)x * (WIDE)x);
    }
    return power;
}
//// int shl_wrapping
/* The bits shifted left by the count modulo the width. */
static inline INT shl_wrapping_INT(INT x, uint32_t n) {
    INT result;
    shl_fits_INT(x, n, &result);
    return result;
}
//// int shr_wrapping
/* The number shifted right by the count modulo the width. */
static inline INT shr_wrapping_INT(INT x, uint32_t n) {
    INT result;
    shr_fits_INT(x, n, &result);
    return result;
}
//// signed add_saturating
/* The sum, or the bound that it exceeds. */
static inline INT add_saturating_INT(INT x, INT y) {
    INT result;
    return add_fits_INT(x, y, &result) ? result : y < 0 ? MIN : MAX;
}
//// unsigned add_saturating
/* The sum, or the largest number. */
static inline INT add_saturating_INT(INT x, INT y) {
    INT result;
    return add_fits_INT(x, y, &result) ? result : MAX;
}
//// signed sub_saturating
/* The difference, or the bound that it exceeds. */
static inline INT sub_saturating_INT(INT x, INT y) {
    INT result;
    return sub_fits_INT(x, y, &result) ? result : y < 0 ? MAX : MIN;
}
//// unsigned sub_saturating
/* The difference, or zero. */
static inline INT sub_saturating_INT(INT x, INT y) {
    return x > y ? (INT)(x - y) : 0;
}
//// signed mul_saturating
/* The product, or the bound that it exceeds. */
static inline INT mul_saturating_INT(INT x, INT y) {
    INT result;
    return mul_fits_INT(x, y, &result) ? result : (x < 0) != (y < 0) ? MIN : MAX;
}
//// unsigned mul_saturating
/* The product, or the largest number. */
static inline INT mul_saturating_INT(INT x, INT y) {
    INT result;
    return mul_fits_INT(x, y, &result) ? result : MAX;
}
//// signed pow_saturating
/* A power, or the bound that it exceeds. */
static inline INT pow_saturating_INT(INT x, uint32_t n) {
    INT result;
    return pow_fits_INT(x, n, &result) ? result : x < 0 && (n & 1) ? MIN : MAX;
}
//// unsigned pow_saturating
/* A power, or the largest number. */
static inline INT pow_saturating_INT(INT x, uint32_t n) {
    INT result;
    return pow_fits_INT(x, n, &result) ? result : MAX;
}
//// int min
/* The smaller number. */
static inline INT min_INT(INT x, INT y) {
    return y < x ? y : x;
}
//// int max
/* The larger number. */
static inline INT max_INT(INT x, INT y) {
    return y > x ? y : x;
}
//// int clamped
/* A number clamped to two bounds, which must be in order. */
static inline INT clamped_INT(INT x, INT min, INT max, const char *at) {
    if (min > max) {
        Text message = text_of("min > max. min = ", 17);
        text_append_owned(&message, show_int_INT(min, 10));
        text_append(&message, (TextView){", max = ", 8});
        text_append_owned(&message, show_int_INT(max, 10));
        fail_text((TextView){message.data, message.len}, at);
    }
    if (x < min) {
        return min;
    }
    return x > max ? max : x;
}
//// int signum
/* The sign as -1, 0 or 1. */
static inline INT signum_INT(INT x) {
    return (INT)((x > 0) - (x < 0));
}
//// int from_f64
/* The integer part, or the bound that it exceeds; zero if it is not a number. */
static inline INT from_f64_INT(double x) {
    if (isnan(x)) {
        return 0;
    }
    if (x <= (double)MIN) {
        return MIN;
    }
    /* The number after the largest one, which is a power of two. */
    return x >= 2.0 * (double)(INT)(MAX / 2 + 1) ? MAX : (INT)x;
}
//// int count_ones
/* The number of one bits. */
static inline uint32_t count_ones_INT(INT x) {
    uint32_t count = 0;
    for (UINT rest = (UINT)x; rest != 0; rest = (UINT)(rest & (rest - 1))) {
        count++;
    }
    return count;
}
//// int leading_zeros
/* The number of zeros in the highest bits. */
static inline uint32_t leading_zeros_INT(INT x) {
    uint32_t count = BITS;
    for (UINT rest = (UINT)x; rest != 0; rest = (UINT)(rest >> 1)) {
        count--;
    }
    return count;
}
//// int trailing_zeros
/* The number of zeros in the lowest bits. */
static inline uint32_t trailing_zeros_INT(INT x) {
    uint32_t count = 0;
    for (UINT rest = (UINT)x; count < BITS && !(rest & 1); rest = (UINT)(rest >> 1)) {
        count++;
    }
    return count;
}
//// int rotate_left
/* The bits rotated to the left. */
static inline INT rotate_left_INT(INT x, uint32_t n) {
    UINT bits = (UINT)x;
    n %= BITS;
    return n == 0 ? x : (INT)(UINT)((UINT)(bits << n) | (UINT)(bits >> (BITS - n)));
}
//// int reverse_bits
/* The bits in reverse order. */
static inline INT reverse_bits_INT(INT x) {
    UINT bits = (UINT)x, result = 0;
    for (uint32_t k = 0; k < BITS; k++) {
        result = (UINT)((UINT)(result << 1) | (bits & 1));
        bits = (UINT)(bits >> 1);
    }
    return (INT)result;
}
//// int swap_bytes
/* The bytes in reverse order. */
static inline INT swap_bytes_INT(INT x) {
    UINT bits = (UINT)x, result = 0;
    for (uint32_t k = 0; k < BITS; k += 8) {
        result = (UINT)((UINT)(BITS > 8 ? result << (8 % BITS) : 0) | (bits & 255));
        bits = (UINT)(BITS > 8 ? bits >> (8 % BITS) : 0);
    }
    return (INT)result;
}
//// int show_int
/* The digits of an integer to a radix, after its sign. */
static Text show_int_INT(INT x, uint32_t radix) {
    char digits[130];
    size_t at = sizeof digits;
    UINT rest = x < 0 ? (UINT)(0 - (WIDE)x) : (UINT)x;
    do {
        digits[--at] = "0123456789abcdefghijklmnopqrstuvwxyz"[rest % radix];
        rest = (UINT)(rest / radix);
    } while (rest != 0);
    if (x < 0) {
        digits[--at] = '-';
    }
    return text_of(digits + at, sizeof digits - at);
}
//// unsigned show_int
/* The digits of an integer to a radix. */
static Text show_int_INT(INT x, uint32_t radix) {
    char digits[130];
    size_t at = sizeof digits;
    do {
        digits[--at] = "0123456789abcdefghijklmnopqrstuvwxyz"[x % radix];
        x = (INT)(x / radix);
    } while (x != 0);
    return text_of(digits + at, sizeof digits - at);
}
//// signed parse_fits
/* Whether a text is an integer that fits. */
static bool parse_fits_INT(TextView text, INT *result) {
    bool is_negative = text.len > 0 && text.data[0] == '-';
    size_t at = is_negative || (text.len > 0 && text.data[0] == '+');
    bool fits = at < text.len;
    *result = 0;
    for (; fits && at < text.len; at++) {
        INT digit = (INT)(text.data[at] - '0');
        fits = digit >= 0 && digit <= 9 && mul_fits_INT(*result, 10, result)
            && (is_negative ? sub_fits_INT(*result, digit, result) : add_fits_INT(*result, digit, result));
    }
    return fits;
}
//// unsigned parse_fits
/* Whether a text is an integer that fits. */
static bool parse_fits_INT(TextView text, INT *result) {
    size_t at = text.len > 0 && text.data[0] == '+';
    bool fits = at < text.len;
    *result = 0;
    for (; fits && at < text.len; at++) {
        fits = text.data[at] >= '0' && text.data[at] <= '9' && mul_fits_INT(*result, 10, result)
            && add_fits_INT(*result, (INT)(text.data[at] - '0'), result);
    }
    return fits;
}
