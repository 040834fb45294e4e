//! Counting of steps that programs report by `steps.add`.

use std::cell::Cell;

thread_local! {
    static COUNTED: Cell<u64> = const { Cell::new(0) };
}

/// Runs `f`, and returns the number of steps that the programs run in it on this thread counted by
/// `steps.add`, on any executor.
///
/// ```
/// use overdub_context::engine::Engine;
/// use overdub_context::limits::counting;
/// use overdub_context::text;
/// let program = "fn @f() -> i64 {\n  %0: unit = steps.add 3_u64\n  %1: unit = steps.add 4_u64\n  ret 1_i64\n}";
/// let engine = Engine::new(text::parse(program)?.module());
/// let (result, steps) = counting(|| engine.run("f", Vec::new()));
/// assert_eq!((result.is_ok(), steps), (true, 7));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn counting<R>(f: impl FnOnce() -> R) -> (R, u64) {
    /// Restores the outer count, even if `f` panics.
    struct Outer(u64);

    impl Drop for Outer {
        fn drop(&mut self) {
            COUNTED.set(self.0.wrapping_add(COUNTED.get()));
        }
    }

    let _outer = Outer(COUNTED.replace(0));
    let result = f();
    (result, COUNTED.get())
}

/// Counts steps for [`counting`]: for executors that count themselves.
pub fn count_steps(steps: u64) {
    COUNTED.set(COUNTED.get().wrapping_add(steps));
}
