//! Programs that do not end.

/// Loops forever if `x` is not negative.
pub fn spin(x: f64) -> f64 {
    let mut y = x;
    while y >= 0.0 {
        y = (y * 1.000001).min(1000.0);
    }
    y
}

/// Like `spin`, but keeps all values that it computed.
pub fn grow(x: f64) -> f64 {
    let mut all = Vec::new();
    while x >= 0.0 {
        all.push(x);
    }
    all[0]
}

/// Calls itself until the stack ends.
pub fn sines(x: f64) -> f64 {
    x.sin() * sines(x + 1.0)
}

/// Calls itself `n` times.
pub fn down(n: u64) -> u64 {
    if n == 0 { 0 } else { 1 + down(n - 1) }
}

/// Prints forever.
pub fn print() {
    let mut n = 0_u64;
    loop {
        println!("line {n}");
        n += 1;
    }
}
