//! Text that is not text, escapes, white space, spans of time as text, and clocks.

use std::time::*;

pub fn what_is_wrong_with_bytes_is_told_by_place_and_length() -> String {
    fn all() -> Vec<String> {
        let mut o = vec![];
        for b in [
            &b"abc\xff"[..],
            b"\xe2\x82",
            b"a\xe2\x82z",
            b"\xf0\x9f\x98",
            b"\xf0\x8f",
            b"\xc0\x80",
            b"\xed\xa0\x80",
            b"ok \xf4\x90\x80\x80 x",
            b"\x80",
            b"h\xc3",
            b"\xe2\x28\xa1",
            b"\xf0\x9f\x28z",
        ] {
            o.push(match std::str::from_utf8(b) {
                Ok(s) => s.to_string(),
                Err(e) => format!("{e} {e:?} {} {:?}", e.valid_up_to(), e.error_len()),
            });
            let e = String::from_utf8(b.to_vec()).unwrap_err();
            o.push(format!("{e} {e:?} {}", e.utf8_error()));
            o.push(String::from_utf8_lossy(b).to_string());
        }
        o
    }
    format!("{:?}", all())
}

pub fn escapes_are_rustcs() -> String {
    fn all() -> Vec<String> {
        vec![
            "a\u{301}\n\"'\\é".escape_debug().to_string(),
            "a\u{301}\n\"'\\é".escape_default().collect(),
            "aé".escape_unicode().to_string(),
            'é'.escape_default().to_string(),
            '\''.escape_debug().collect(),
            '"'.escape_debug().to_string(),
            '\u{301}'.escape_debug().to_string(),
            format!("{}{}", '\n'.escape_default(), 'x'.escape_unicode()),
        ]
    }
    format!("{:?}", all())
}

pub fn ascii_white_space_is_ascii() -> String {
    let s = "\u{85}a\u{a0}b\u{2003}c\u{200b}d\u{3000} e\u{180e}\u{1c} \x0bf\x0c\t g\u{a0}\n";
    let words: Vec<&str> = s.split_ascii_whitespace().collect();
    let all: Vec<&str> = s.split_whitespace().collect();
    format!("{words:?} {all:?} {:?} {:?} {:?}", s.trim_ascii(), s.trim_ascii_start(), s.trim_ascii_end())
}
pub fn durations_are_shown_to_the_precision_asked_for() -> String {
    fn all() -> Vec<String> {
        let mut o = vec![];
        for d in [
            Duration::new(1, 999_999_999),
            Duration::new(0, 999_999_999),
            Duration::from_nanos(2500),
            Duration::from_nanos(3500),
            Duration::from_nanos(17),
            Duration::from_millis(2569),
            Duration::new(u64::MAX, 999_999_999),
            Duration::ZERO,
            Duration::from_micros(1),
            Duration::new(9, 950_000_000),
        ] {
            o.push(format!("{d:?}|{d:.0?}|{d:.1?}|{d:.2?}|{d:+.3?}|{d:>20?}|{d:<20.3?}|{d:^21.1?}|{d:*^15?}|{d:012?}|{d:.12?}|{:?}", d.as_secs_f64()));
        }
        o
    }
    format!("{:?}", all())
}

pub fn durations_of_floats_are_rounded_once() -> String {
    fn all() -> Vec<String> {
        vec![
            format!("{:?}", Duration::from_secs_f64(2.7)),
            format!("{:?}", Duration::from_secs_f64(0.999999999499)),
            format!("{:?}", Duration::from_secs_f64(0.9999999995)),
            format!("{:?}", Duration::from_secs_f64(1.5e-9)),
            format!("{:?}", Duration::from_secs_f64(2.5e-9)),
            format!("{:?}", Duration::from_secs_f32(2.7)),
            format!("{:?}", Duration::try_from_secs_f64(-1.0)),
            format!("{}", Duration::try_from_secs_f64(f64::NAN).unwrap_err()),
            format!("{:?}", Duration::from_millis(100).mul_f64(3.14159)),
            format!("{:?}", Duration::from_millis(2700).mul_f32(3.14)),
            format!("{:?}", Duration::from_millis(2700) / 7),
            format!("{:?}", 3 * Duration::from_millis(2700)),
            format!("{:?}", [Duration::from_millis(3), Duration::from_millis(2700)].iter().sum::<Duration>()),
            format!("{:?}", Duration::from_millis(3).abs_diff(Duration::from_secs(1))),
            format!("{:?}", Duration::from_secs(5).div_duration_f64(Duration::from_secs(2))),
            format!("{:?}", Duration::from_secs_f64(1.7179869185e9)),
            format!("{:?}", Duration::from_secs_f64(123456.789012345678)),
        ]
    }
    format!("{:?}", all())
}

pub fn time_goes_on() -> String {
    let t = Instant::now();
    let mut rounds = 0_u64;
    while t.elapsed() < Duration::from_millis(20) {
        rounds = rounds.wrapping_add(1);
    }
    let end = Instant::now() + Duration::from_millis(3);
    while Instant::now() < end {
        std::thread::yield_now();
    }
    let t = Instant::now();
    std::thread::sleep(Duration::from_millis(2));
    let slept = t.elapsed() >= Duration::from_millis(2) && t.elapsed() > Duration::ZERO;
    let a = SystemTime::now();
    let is_now = a.duration_since(UNIX_EPOCH).unwrap().as_secs() > 1_600_000_000;
    let later = a.duration_since(a + Duration::from_secs(2)).unwrap_err();
    format!("{slept} {is_now} {later} {:?}", later.duration())
}
