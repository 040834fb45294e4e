//! Hints that matter to an optimising compiler only.

#[op("black_box")]
pub fn black_box<T>(value: T) -> T;

pub fn spin_loop() {}

pub unsafe fn unreachable_unchecked() -> ! {
    panic!("internal error: entered unreachable code: hint::unreachable_unchecked must never be reached")
}

pub unsafe fn assert_unchecked(cond: bool) {
    if !cond {
        panic!("hint::assert_unchecked must never be called when the condition is false")
    }
}

pub fn cold_path() {}

pub fn select_unpredictable<T>(condition: bool, true_val: T, false_val: T) -> T {
    if condition { true_val } else { false_val }
}
