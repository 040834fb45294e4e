pub fn twice(x: f64) -> f64 {
    x + x
}
