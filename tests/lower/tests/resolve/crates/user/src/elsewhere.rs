pub fn moved() -> f64 {
    1.0
}
