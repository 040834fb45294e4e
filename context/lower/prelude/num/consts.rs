//! The modules named like primitive types.

macro_rules! float_module {
    ($T:ident) => {
        pub mod $T {
            pub mod consts {
                pub const PI: $T = 3.14159265358979323846264338327950288;
                pub const TAU: $T = 6.28318530717958647692528676655900577;
                pub const FRAC_PI_2: $T = 1.57079632679489661923132169163975144;
                pub const FRAC_PI_3: $T = 1.04719755119659774615421446109316763;
                pub const FRAC_PI_4: $T = 0.785398163397448309615660845819875721;
                pub const FRAC_PI_6: $T = 0.52359877559829887307710723054658381;
                pub const FRAC_PI_8: $T = 0.39269908169872415480783042290993786;
                pub const FRAC_1_PI: $T = 0.318309886183790671537767526745028724;
                pub const FRAC_2_PI: $T = 0.636619772367581343075535053490057448;
                pub const FRAC_2_SQRT_PI: $T = 1.12837916709551257389615890312154517;
                pub const SQRT_2: $T = 1.41421356237309504880168872420969808;
                pub const FRAC_1_SQRT_2: $T = 0.707106781186547524400844362104849039;
                pub const E: $T = 2.71828182845904523536028747135266250;
                pub const LOG2_E: $T = 1.44269504088896340735992468100189214;
                pub const LOG2_10: $T = 3.32192809488736234787031942948939018;
                pub const LOG10_E: $T = 0.434294481903251827651128918916605082;
                pub const LOG10_2: $T = 0.301029995663981195213738894724493027;
                pub const LN_2: $T = 0.693147180559945309417232121458176568;
                pub const LN_10: $T = 2.30258509299404568401799145468436421;
                pub const EGAMMA: $T = 0.577215664901532860606512090082402431;
                pub const PHI: $T = 1.618033988749894848204586834365638118;
            }

            pub const RADIX: u32 = $T::RADIX;
            pub const MANTISSA_DIGITS: u32 = $T::MANTISSA_DIGITS;
            pub const DIGITS: u32 = $T::DIGITS;
            pub const EPSILON: $T = $T::EPSILON;
            pub const MIN: $T = $T::MIN;
            pub const MIN_POSITIVE: $T = $T::MIN_POSITIVE;
            pub const MAX: $T = $T::MAX;
            pub const MIN_EXP: i32 = $T::MIN_EXP;
            pub const MAX_EXP: i32 = $T::MAX_EXP;
            pub const MIN_10_EXP: i32 = $T::MIN_10_EXP;
            pub const MAX_10_EXP: i32 = $T::MAX_10_EXP;
            pub const NAN: $T = $T::NAN;
            pub const INFINITY: $T = $T::INFINITY;
            pub const NEG_INFINITY: $T = $T::NEG_INFINITY;
        }
    };
}

float_module! { f64 }
float_module! { f32 }

macro_rules! int_modules {
    ($($T:ident)*) => {$(
        pub mod $T {
            pub const MIN: $T = $T::MIN;
            pub const MAX: $T = $T::MAX;
        }
    )*};
}

int_modules! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }
