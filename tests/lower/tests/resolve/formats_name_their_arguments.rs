const WIDE: usize = 8;

// names shows: y@4 w@4 x@4 WIDE text@5
fn shows(x: f64, y: f64, w: usize) -> String {
    format!("{:.3e} {x:>w$} {{}} {WIDE}", y)
}

// error unknown: 10:5 cannot find value `nobody`
fn unknown() {
    println!("{nobody}");
}

// error missing: 15:5 the format string wants an argument 1 that is not there
fn missing() {
    println!("{} {}", 1);
}
