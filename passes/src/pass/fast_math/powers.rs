//! Powers without branches, beside the other elementary [`functions`](super::functions): `x^y` is `e^(y·ln x)`.
//!
//! FASTFN1 and FASTFN2 hold. The logarithm and its product with `y` have 66 digits, in two parts. Factors are cut such that their
//! products are exact, so that no fused multiplications are needed. The reduction of the logarithm and the cuts are those of Arm's
//! optimized routines (`pow.c`), with a table and polynomials of our own.

use super::functions::{LN2_HIGH, LN2_LOW, ROUND, upper};

/// The least of the mantissas; the greatest is almost its double, and 1 lies inside of an interval of the table.
const LEAST_MANTISSA: u64 = 0x3fe6_9555_0000_0000;

/// The exponent of 1 in a float of which it is the lower half.
const BIAS: f64 = 4_503_599_627_370_496.0 + 1023.0;

const TWO_52: f64 = 4_503_599_627_370_496.0;

const TWO_53: f64 = 9_007_199_254_740_992.0;

/// The power of a number.
#[inline]
pub fn powf(x: f64, y: f64) -> f64 {
    let (power, is_near) = power_if_near(x, y);
    if is_near { power } else { powf_far(x, y) }
}

#[cold]
fn powf_far(x: f64, y: f64) -> f64 {
    powf_branchless(x, y)
}

/// The power of a positive number, where neither it nor the result is close to the limits of floats; otherwise `NaN`.
#[inline(always)]
pub fn powf_near(x: f64, y: f64) -> f64 {
    let (power, is_near) = power_if_near(x, y);
    if is_near { power } else { f64::NAN }
}

/// Whether a number is positive, and neither it nor its power is close to the limits of floats; the power, if so.
#[inline(always)]
fn power_if_near(x: f64, y: f64) -> (f64, bool) {
    let (high, low) = log_parts(x.to_bits(), BIAS);
    let (high, low) = times_parts(y, high, low);
    let (power, twos) = exp_parts(high, low);
    let power = f64::from_bits(power.to_bits().wrapping_add(twos << 52));
    // Not the limits of normal floats: compilers test for such classes by integers, for which SSE2 has no comparison.
    (power, (1e-307..=1e308).contains(&x) & (high.abs() < 708.0))
}

/// The power of any number, without branches.
#[inline(always)]
pub fn powf_branchless(x: f64, y: f64) -> f64 {
    const LARGEST: f64 = 36_893_488_147_419_103_232.0;
    const TWO_54: f64 = 18_014_398_509_481_984.0;
    const SIGN: u64 = 0x8000_0000_0000_0000;
    let a = x.abs();
    let is_small = a < 1e-307;
    let scaled = if is_small { a * TWO_54 } else { a };
    let (high, low) = log_parts(scaled.to_bits(), if is_small { BIAS + 54.0 } else { BIAS });
    // Beyond 2^53 there are only even integers.
    let n = if y.abs() > TWO_53 { TWO_53 } else { y.abs() };
    let is_even = (n + TWO_53) - TWO_53 == n;
    let is_integer = (n >= TWO_52) | ((n + TWO_52) - TWO_52 == n);
    let high = if !is_integer & (x < 0.0) { f64::NAN } else { high };
    let high = if a < f64::INFINITY { high } else { a };
    let high = if a == 0.0 { f64::NEG_INFINITY } else { high };
    // Beyond these limits the power is that of an infinite exponent, or 1.
    let size = if y.abs() > LARGEST { LARGEST } else { y.abs() };
    let size = if size < 1.0 / LARGEST { 1.0 / LARGEST } else { size };
    let (exact, low) = times_parts(f64::from_bits(size.to_bits() | y.to_bits() & SIGN), high, low);
    // Beyond these limits the power is infinite or zero; comparisons with NaN are false, so NaN stays.
    let high = if exact > 800.0 { 800.0 } else { exact };
    let high = if high < -800.0 { -800.0 } else { high };
    let low = if high == exact { low } else { 0.0 };
    let (power, twos) = exp_parts(high, low);
    let twos = twos.wrapping_sub(ROUND.to_bits()).wrapping_add(2048);
    let half = twos >> 1;
    // In two steps, since the scale may overflow where the result does not.
    let first = f64::from_bits(half.wrapping_sub(1) << 52);
    let second = f64::from_bits(twos.wrapping_sub(half).wrapping_sub(1) << 52);
    let power = power * first * second;
    let sign = if is_even | !is_integer { 0 } else { x.to_bits() & SIGN };
    let power = f64::from_bits(power.to_bits() | sign);
    if (y == 0.0) | (x == 1.0) { 1.0 } else { power }
}

/// The logarithm of a normal positive number, and the rest of it; for other bits, any number.
#[inline(always)]
fn log_parts(bits: u64, bias: f64) -> (f64, f64) {
    const C: [f64; 6] = [
        -0.6666666666666681,
        0.500000000000002,
        0.7999999994629894,
        -0.6666666660632315,
        -1.1429133919083072,
        1.0000554007979965,
    ];
    let above = bits.wrapping_sub(LEAST_MANTISSA);
    let at = (above >> 45) as usize & 127;
    let mantissa = (above & 0x000f_ffff_ffff_ffff).wrapping_add(LEAST_MANTISSA);
    let exponent = bits.wrapping_add((1023 << 52) - LEAST_MANTISSA) >> 52;
    let k = f64::from_bits(exponent | 0x4330_0000_0000_0000) - bias;
    // r = m/c - 1 in two parts, exact, since the inverse has few digits, and so has the upper part of the mantissa.
    let m = f64::from_bits(mantissa);
    let m_high = f64::from_bits(mantissa.wrapping_add(1 << 31) & 0xffff_ffff_0000_0000);
    let r_high = m_high * INVERSES[at] - 1.0;
    let r_low = (m - m_high) * INVERSES[at];
    let r = r_high + r_low;
    // k·ln 2 + ln c + r - r²/2 + …
    let whole = k * LN2_HIGH + LOGARITHMS[at];
    let linear = whole + r;
    let rest = (k * LN2_LOW + LOGARITHM_RESTS[at]) + ((whole - linear) + r);
    let square = r_high * (-0.5 * r_high);
    let high = linear + square;
    let rest = rest + (r_low * (-0.5 * r + -0.5 * r_high) + ((linear - high) + square));
    let s = r * (-0.5 * r);
    let poly = (C[0] + r * C[1]) + s * ((C[2] + r * C[3]) + s * (C[4] + r * C[5]));
    (high, rest + r * s * poly)
}

/// The product of a number and a sum, as a sum.
#[inline(always)]
fn times_parts(y: f64, high: f64, low: f64) -> (f64, f64) {
    let (y_upper, upper_high) = (upper(y), upper(high));
    (y_upper * upper_high, (y - y_upper) * upper_high + y * ((high - upper_high) + low))
}

/// `e` to the power of a sum, without a power of two, and the bits of a float whose lowest are the exponent of that.
#[inline(always)]
fn exp_parts(high: f64, low: f64) -> (f64, u64) {
    // (e^r - 1 - r)/r², within 2^-63/r² for r up to 0.36: the low part is up to 0.013.
    const C: [f64; 11] = [
        0.5,
        0.16666666666666693,
        0.041666666666666755,
        0.008333333333309536,
        0.0013888888888845413,
        0.00019841269914378908,
        2.4801587395829444e-5,
        2.7557217447132172e-6,
        2.7557216629220857e-7,
        2.5117914219548514e-8,
        2.093161607968452e-9,
    ];
    let rounded = high * std::f64::consts::LOG2_E + ROUND;
    let k = rounded - ROUND;
    let near = high - k * LN2_HIGH;
    let low = low - k * LN2_LOW;
    let r = near + low;
    let lost = (near - r) + low;
    let (r2, pair) = (r * r, |k: usize| C[k] + C[k + 1] * r);
    let r4 = r2 * r2;
    let first = pair(0) + pair(2) * r2;
    let second = pair(4) + pair(6) * r2;
    let third = pair(8) + C[10] * r2;
    let poly = first + (second + third * r4) * r4;
    let sum = 1.0 + r;
    (sum + (((1.0 - sum) + r) + (r2 * poly + lost)), rounded.to_bits())
}

/// Inverses of numbers near the middles of the intervals, of at most eight binary digits.
#[rustfmt::skip]
const INVERSES: [f64; 128] = [
    1.4140625, 1.40625, 1.3984375, 1.390625, 1.3828125, 1.375, 1.3671875, 1.359375,
    1.3515625, 1.34375, 1.3359375, 1.3359375, 1.328125, 1.3203125, 1.3125, 1.3046875,
    1.296875, 1.2890625, 1.2890625, 1.28125, 1.2734375, 1.265625, 1.2578125, 1.25,
    1.25, 1.2421875, 1.234375, 1.2265625, 1.2265625, 1.21875, 1.2109375, 1.203125,
    1.203125, 1.1953125, 1.1875, 1.1875, 1.1796875, 1.171875, 1.171875, 1.1640625,
    1.15625, 1.1484375, 1.1484375, 1.140625, 1.140625, 1.1328125, 1.125, 1.125,
    1.1171875, 1.109375, 1.109375, 1.1015625, 1.1015625, 1.09375, 1.0859375, 1.0859375,
    1.078125, 1.078125, 1.0703125, 1.0625, 1.0625, 1.0546875, 1.0546875, 1.046875,
    1.046875, 1.0390625, 1.0390625, 1.03125, 1.03125, 1.0234375, 1.015625, 1.015625,
    1.0078125, 1.0078125, 1.0, 1.0, 0.9921875, 0.984375, 0.9765625, 0.96875,
    0.9609375, 0.953125, 0.9453125, 0.94140625, 0.93359375, 0.92578125, 0.91796875, 0.9140625,
    0.90625, 0.8984375, 0.89453125, 0.88671875, 0.8828125, 0.875, 0.87109375, 0.86328125,
    0.859375, 0.8515625, 0.84765625, 0.83984375, 0.8359375, 0.83203125, 0.82421875, 0.8203125,
    0.8125, 0.80859375, 0.8046875, 0.80078125, 0.79296875, 0.7890625, 0.78515625, 0.78125,
    0.7734375, 0.76953125, 0.765625, 0.76171875, 0.7578125, 0.75390625, 0.74609375, 0.7421875,
    0.73828125, 0.734375, 0.73046875, 0.7265625, 0.72265625, 0.71875, 0.71484375, 0.7109375,
];

/// Their logarithms times -1, in multiples of 2^-43.
#[rustfmt::skip]
const LOGARITHMS: [f64; 128] = [
    -0.3464667673462145, -0.34092658697056777, -0.3353555419211034, -0.3297532863724655, -0.32411946865420305,
    -0.31845373111855224, -0.31275571000389846, -0.3070250352949415, -0.3012613305781997, -0.2954642128938758,
    -0.28963329258306203, -0.28963329258306203, -0.28376817313062475, -0.27786845100342816, -0.2719337154836694,
    -0.2659635484970977, -0.25995752443691345, -0.25391520998095984, -0.25391520998095984, -0.2478361639045943,
    -0.2417199368871934, -0.23556607131274632, -0.22937410106487732, -0.22314355131425145, -0.22314355131425145,
    -0.21687393830063684, -0.21056476910735, -0.2042155414286526, -0.2042155414286526, -0.19782574332987224,
    -0.19139485299967873, -0.18492233849406148, -0.18492233849406148, -0.1784076574728033, -0.17185025692663203,
    -0.17185025692663203, -0.1652495728952772, -0.15860503017665906, -0.15860503017665906, -0.15191604202584585,
    -0.1451820098444614, -0.13840232285906495, -0.13840232285906495, -0.131576357788731, -0.131576357788731,
    -0.12470347850091912, -0.11778303565643, -0.11778303565643, -0.11081436634026431, -0.10379679368168127,
    -0.10379679368168127, -0.09672962645856842, -0.09672962645856842, -0.089612158689647, -0.08244366921110213,
    -0.08244366921110213, -0.07522342123763792, -0.07522342123763792, -0.06795066190852594, -0.06062462181648698,
    -0.06062462181648698, -0.053244514518837605, -0.053244514518837605, -0.045809536031242715, -0.045809536031242715,
    -0.038318864302141264, -0.038318864302141264, -0.03077165866670839, -0.03077165866670839, -0.023167059281490765,
    -0.015504186535963527, -0.015504186535963527, -0.0077821404420319595, -0.0077821404420319595, 0.0,
    0.0, 0.007843177461040796, 0.01574835696817445, 0.023716526617363343, 0.03174869831457272,
    0.039845908547249564, 0.048009219186383234, 0.056239718322899535, 0.06038051098892083, 0.06871389254808946,
    0.07711730334438016, 0.08559193033545398, 0.08985632912185793, 0.09844007281321865, 0.10709813555638448,
    0.11145544092528326, 0.12022742699821265, 0.12464244520731427, 0.13353139262449076, 0.13800567301939282,
    0.14701474296180095, 0.15154989812720032, 0.16068238169043525, 0.16528009093906348, 0.17453941635187675,
    0.17920142945774842, 0.18388527877016259, 0.1933193110035063, 0.19806991376208316, 0.20763936477828793,
    0.21245865121420593, 0.21730127569003344, 0.22216746534115828, 0.2319714654378231, 0.2369097470783572,
    0.24187253642048745, 0.2468600779315011, 0.2569104137850218, 0.26197371574153294, 0.2670627852490952,
    0.27217788591576664, 0.27731928541618345, 0.28248725557466514, 0.29290401643288533, 0.29815337231912054,
    0.3034304294199046, 0.30873548164959175, 0.3140688276249648, 0.31943077076641657, 0.3248216194012912,
    0.33024168687052224, 0.3356912916381134, 0.3411707574027787,
];

/// What [`LOGARITHMS`] lack.
#[rustfmt::skip]
const LOGARITHM_RESTS: [f64; 128] = [
    5.929407345889625e-15, -2.544157440035963e-14, -3.443525940775045e-14, -2.500123826022799e-15,
    -8.929337133850617e-15, 1.7625431312172662e-14, 1.5688303180062087e-15, 2.9655274673691784e-14,
    3.7923164802093147e-14, 3.993416384387844e-14, 1.9352855826489123e-14, 1.9352855826489123e-14,
    -1.9852665484979036e-14, -2.814323765595281e-14, 2.7643769993528702e-14, -4.025092402293806e-14,
    -1.2621729398885316e-14, -3.600176732637335e-15, -3.600176732637335e-15, 1.3029797173308663e-14,
    4.8230289429940886e-14, -2.0592242769647135e-14, 3.149265065191484e-14, 4.169796584527195e-14,
    4.169796584527195e-14, 2.2477465222466186e-14, 3.6507188831790577e-16, -3.827767260205414e-14,
    -3.827767260205414e-14, -4.7641388950792196e-14, 4.9278276214647115e-14, 4.9485167661250996e-14,
    4.9485167661250996e-14, -1.5003333854266542e-14, -2.7194441649495324e-14, -2.7194441649495324e-14,
    -2.99659267292569e-14, 2.0472357800461955e-14, 2.0472357800461955e-14, 3.879296723063646e-15,
    -3.6506824353335045e-14, -5.4183331379008994e-14, -5.4183331379008994e-14, 1.1729485484531301e-14,
    1.1729485484531301e-14, -3.811763084710266e-14, 4.654729747598445e-14, 4.654729747598445e-14,
    -2.5799991283069902e-14, 3.7700471749674615e-14, 3.7700471749674615e-14, 1.7306161136093256e-14,
    1.7306161136093256e-14, -4.012913552726574e-14, 2.7541708360737882e-14, 2.7541708360737882e-14,
    5.0396178134370583e-14, 5.0396178134370583e-14, 1.8195060030168815e-14, 5.213620639136504e-14,
    5.213620639136504e-14, 2.532168943117445e-14, 2.532168943117445e-14, -5.148849572685811e-14,
    -5.148849572685811e-14, 4.6652946995830086e-15, 4.6652946995830086e-15, -4.529814257790929e-14,
    -4.529814257790929e-14, -4.361324067851568e-14, -1.7274567499706107e-15, -1.7274567499706107e-15,
    -2.298941004620351e-14, -2.298941004620351e-14, 0.0, 0.0,
    -1.4902732911301337e-14, -3.527980389655325e-14, -4.730054772033249e-14, 7.580310369375161e-15,
    -4.9893776716773285e-14, -2.262629393030674e-14, -2.345674491018699e-14, -1.3352588834854848e-14,
    -3.765296820388875e-14, 5.1128335719851986e-14, -5.046674438470119e-14, 3.1218748807418837e-15,
    3.3871241029241416e-14, -1.7376727386423858e-14, 3.957125899799804e-14, -5.2849453521890294e-14,
    -3.767012502308738e-14, 3.1859736349078334e-14, 5.0900642926060466e-14, 8.710783796122478e-15,
    6.157896229122976e-16, 3.821577743916796e-14, 3.9440046718453496e-14, 2.2924522154618074e-14,
    -3.742530094732263e-14, -2.5223102140407338e-14, -1.0320443688698849e-14, 1.0634128304268335e-14,
    -4.3425422595242564e-14, -1.2527395755711364e-14, -5.204008743405884e-14, -3.979844515951702e-15,
    -4.7955860343296286e-14, 5.015686013791602e-16, -7.252318953240293e-16, 2.4688324156011588e-14,
    5.465121253624792e-15, 4.102651071698446e-14, -4.996736502345936e-14, 4.903580708156347e-14,
    5.089628039500759e-14, 1.1782016386565151e-14, 4.727452940514406e-14, -4.4204083338755686e-14,
    1.548345993498083e-14, 2.1522127491642888e-14, 1.1054030169005386e-14, -5.534326352070679e-14,
    -5.351646604259541e-14, 5.4612144489920215e-14, 2.8136969901227338e-14, -1.156568624616423e-14,
];
