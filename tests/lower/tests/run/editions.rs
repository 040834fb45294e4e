//! When temporaries are dropped, which the edition decides: this is read in 2024, as this test is compiled.

use std::cell::{Cell, RefCell};

/// Writes its digit behind the others when it goes.
struct Mark<'a>(&'a Cell<f64>, f64);

impl Mark<'_> {
    fn some(&self, x: f64) -> Option<f64> {
        if x > 0.5 { Some(self.1) } else { None }
    }
}

impl Drop for Mark<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() * 10.0 + self.1);
    }
}

pub fn before_else(x: f64) -> f64 {
    let log = Cell::new(0.0);
    if let Some(y) = Mark(&log, 1.0).some(x) {
        let _held = Mark(&log, y + 1.0);
    } else {
        let _held = Mark(&log, 3.0);
    }
    log.get()
}

pub fn else_after_else(x: f64) -> f64 {
    let log = Cell::new(0.0);
    let y = if let Some(y) = Mark(&log, 1.0).some(x) {
        y
    } else if let Some(y) = Mark(&log, 2.0).some(x + 1.0) {
        y + 10.0
    } else {
        Mark(&log, 3.0).1
    };
    log.get() + 1000.0 * y
}

pub fn borrowed_again(x: f64) -> f64 {
    let all = RefCell::new(vec![x]);
    if let Some(last) = all.borrow().last().filter(|last| **last > 1.0) {
        return *last;
    } else {
        all.borrow_mut().push(2.0);
    }
    all.borrow().iter().sum()
}

pub fn before_variables(x: f64) -> f64 {
    fn inner(log: &Cell<f64>, x: f64) -> f64 {
        let a = Mark(log, 1.0);
        Mark(log, 2.0).some(x).unwrap_or(a.1)
    }
    let log = Cell::new(0.0);
    let y = inner(&log, x);
    log.get() + 100.0 * y
}

pub fn before_variables_of_blocks(x: f64) -> f64 {
    let log = Cell::new(0.0);
    let y = {
        let a = Mark(&log, 1.0);
        match Mark(&log, 2.0).some(x) {
            Some(y) => y + a.1,
            None => Mark(&log, 3.0).1,
        }
    };
    let f = |x: f64| {
        let b = Mark(&log, 4.0);
        b.1 + Mark(&log, 5.0).some(x).unwrap_or(0.0)
    };
    let z = f(x);
    log.get() + 1e5 * y + 1e7 * z
}

pub fn chains_and_statements(x: f64) -> f64 {
    let log = Cell::new(0.0);
    if let Some(y) = Mark(&log, 1.0).some(x)
        && let Some(z) = Mark(&log, 2.0).some(y - 1.0)
    {
        log.set(log.get() + z);
    } else {
        let _held = Mark(&log, 3.0);
    }
    let mut rest = vec![1.0, x];
    while let Some(y) = Mark(&log, 4.0).some(rest.pop().unwrap_or(0.0)) {
        let _held = Mark(&log, y + 1.0);
    }
    let _kept = &Mark(&log, 7.0);
    Mark(&log, 6.0);
    log.get()
}

pub fn before_the_block_of_let_else(x: f64) -> f64 {
    let log = Cell::new(0.0);
    let inner = |x: f64| {
        let _a = Mark(&log, 1.0);
        let Some(y) = Mark(&log, 2.0).some(x) else {
            let _held = Mark(&log, 3.0);
            return 0.5;
        };
        let _b = Mark(&log, 4.0);
        y
    };
    let y = inner(x);
    log.get() + 1e5 * y
}

pub fn as_long_as_what_refers_to_them(x: f64) -> f64 {
    let log = Cell::new(0.0);
    {
        let some = Some(&Mark(&log, 1.0));
        let block = {
            let _inner = Mark(&log, 2.0);
            &Mark(&log, 3.0)
        };
        let pair = (&Mark(&log, 4.0), [&Mark(&log, 5.0)]);
        log.set(
            log.get() * 10.0
                + x.signum()
                + some.map_or(0.0, |mark| mark.1)
                + block.1
                + pair.0.1
                + pair.1[0].1
                - 9.0,
        );
    }
    log.get()
}
