//// real mul_zero
/* The product, but zero if a factor is zero, even if the other is infinite or not a number. */
static inline REAL mul_zero_REAL(REAL x, REAL y) {
    REAL product = x * y;
    return isnan(product) && (x == 0 || y == 0) ? 0 : product;
}
//// real powi
/* An integer power, multiplied in one order whatever the optimiser prefers. */
static inline REAL powi_REAL(REAL x, int32_t n) {
    uint32_t rest = n < 0 ? 0u - (uint32_t)n : (uint32_t)n;
    REAL power = 1;
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
//// real min
/* The smaller number; the other one if one is not a number. */
static inline REAL min_REAL(REAL x, REAL y) {
    return isnan(x) || y < x ? y : x;
}
//// real max
/* The larger number; the other one if one is not a number. */
static inline REAL max_REAL(REAL x, REAL y) {
    return isnan(x) || y > x ? y : x;
}
//// real signum
/* The sign as -1 or 1. */
static inline REAL signum_REAL(REAL x) {
    return isnan(x) ? x : copysign@((REAL)1, x);
}
//// real div_euclid
/* The quotient whose remainder is not negative. */
static inline REAL div_euclid_REAL(REAL x, REAL y) {
    REAL quotient = trunc@(x / y);
    if (fmod@(x, y) < 0) {
        return y > 0 ? quotient - 1 : quotient + 1;
    }
    return quotient;
}
//// real rem_euclid
/* The remainder that is not negative. */
static inline REAL rem_euclid_REAL(REAL x, REAL y) {
    REAL remainder = fmod@(x, y);
    return remainder < 0 ? remainder + fabs@(y) : remainder;
}
//// real asinh
/* The inverse hyperbolic sine, by Rust's formula. */
static inline REAL asinh_REAL(REAL x) {
    REAL magnitude = fabs@(x);
    REAL inverse = 1 / magnitude;
    return copysign@(log1p@(magnitude + magnitude / (hypot@(1, inverse) + inverse)), x);
}
//// real acosh
/* The inverse hyperbolic cosine, by Rust's formula. */
static inline REAL acosh_REAL(REAL x) {
    return x < 1 ? (REAL)NAN : log@(x + sqrt@(x - 1) * sqrt@(x + 1));
}
//// real atanh
/* The inverse hyperbolic tangent, by Rust's formula. */
static inline REAL atanh_REAL(REAL x) {
    return (REAL)0.5 * log1p@(2 * x / (1 - x));
}
//// real clamped
/* A number clamped to two bounds, which must be in order. */
static inline REAL clamped_REAL(REAL x, REAL min, REAL max, const char *at) {
    if (!(min <= max)) {
        Text message = text_of("min > max, or either was NaN. min = ", 36);
        text_append_owned(&message, show_real_REAL(min, 1, -1, false));
        text_append(&message, (TextView){", max = ", 8});
        text_append_owned(&message, show_real_REAL(max, 1, -1, false));
        fail_text((TextView){message.data, message.len}, at);
    }
    if (x < min) {
        return min;
    }
    return x > max ? max : x;
}
//// real is_subnormal
/* Whether a number is less than all of full precision, and not zero. */
static inline bool is_subnormal_REAL(REAL x) {
    return !isnormal(x) && isfinite(x) && x != 0;
}
//// real to_bits
/* The bits of a float. */
static inline BITS_OF to_bits_REAL(REAL x) {
    BITS_OF bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
//// real from_bits
/* The float with these bits. */
static inline REAL from_bits_REAL(BITS_OF bits) {
    REAL x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
//// real total_cmp
/* The order of two floats in the total order of IEEE 754, as -1, 0 or 1. */
static inline int total_cmp_REAL(REAL x, REAL y) {
    BITS_OF a = to_bits_REAL(x), b = to_bits_REAL(y);
    BITS_OF sign = (BITS_OF)1 << (8 * sizeof a - 1);
    a = a & sign ? ~a : a | sign;
    b = b & sign ? ~b : b | sign;
    return compare_int(a, b);
}
//// real show_real
/* A float in a style (0 `{}`, 1 `{:?}`, 2 `{:e}`, 3 `{:E}`) of Rust, to a precision or (-1) as short as possible. */
static Text show_real_REAL(REAL x, int64_t style, int64_t precision, bool plus) {
    if (isnan(x)) {
        return text_of("NaN", 3);
    }
    char digits[32];
    REAL magnitude = fabs@(x);
    Text text = text_of(signbit(x) ? "-" : "+", signbit(x) || plus);
    if (isinf(x)) {
        text_append(&text, (TextView){"inf", 3});
        return text;
    }
    bool is_scientific = style >= 2 || (style == 1 && precision < 0 && magnitude != 0 && (magnitude < (REAL)1e-4 || magnitude >= (REAL)1e16));
    if (precision >= 0 && !is_scientific) {
        int len = snprintf(NULL, 0, "%.*f", (int)precision, (double)magnitude);
        text_reserve(&text, (size_t)len + 1);
        snprintf(text.data + text.len, (size_t)len + 1, "%.*f", (int)precision, (double)magnitude);
        text.len += (size_t)len;
        return text;
    }
    if (precision >= 0) {
        int len = snprintf(NULL, 0, "%.*e", (int)precision, (double)magnitude);
        text_reserve(&text, (size_t)len + 1);
        snprintf(text.data + text.len, (size_t)len + 1, "%.*e", (int)precision, (double)magnitude);
        char *e = strchr(text.data + text.len, 'e');
        long exponent = strtol(e + 1, NULL, 10);
        text.len = (size_t)(e - text.data);
        int count = snprintf(digits, sizeof digits, "%c%ld", style == 3 ? 'E' : 'e', exponent);
        text_append(&text, (TextView){digits, (size_t)count});
        return text;
    }
    /* The fewest digits that give the same number back. */
    for (int count = 0; count < 18; count++) {
        snprintf(digits, sizeof digits, "%.*e", count, (double)magnitude);
        if (strto@(digits, NULL) == magnitude) {
            break;
        }
    }
    char *e = strchr(digits, 'e');
    long exponent = strtol(e + 1, NULL, 10);
    /* The digits without the point. */
    size_t count = 1;
    for (char *digit = digits + 2; digit < e; digit++) {
        digits[count++] = *digit;
    }
    if (is_scientific) {
        text_append(&text, (TextView){digits, 1});
        if (count > 1) {
            text_append(&text, (TextView){".", 1});
            text_append(&text, (TextView){digits + 1, count - 1});
        }
        char tail[16];
        int len = snprintf(tail, sizeof tail, "%c%ld", style == 3 ? 'E' : 'e', exponent);
        text_append(&text, (TextView){tail, (size_t)len});
        return text;
    }
    if (exponent < 0) {
        text_append(&text, (TextView){"0.", 2});
        for (long zero = exponent + 1; zero < 0; zero++) {
            text_append(&text, (TextView){"0", 1});
        }
        text_append(&text, (TextView){digits, count});
        return text;
    }
    size_t whole = (size_t)exponent + 1;
    text_append(&text, (TextView){digits, count < whole ? count : whole});
    for (size_t zero = count; zero < whole; zero++) {
        text_append(&text, (TextView){"0", 1});
    }
    if (count > whole) {
        text_append(&text, (TextView){".", 1});
        text_append(&text, (TextView){digits + whole, count - whole});
    } else if (style == 1) {
        text_append(&text, (TextView){".0", 2});
    }
    return text;
}
