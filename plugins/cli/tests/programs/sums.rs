pub struct Point {
    pub x: f64,
    pub y: f64,
}

impl Point {
    pub fn norm(&self) -> f64 {
        (self.x * self.x + self.y * self.y).sqrt()
    }
}

pub fn sum(n: usize) -> f64 {
    let mut s = 0.0;
    let mut xs = vec![0.0; n];
    for i in 0..n {
        xs[i] = i as f64;
        s += xs[i];
    }
    let p = Point { x: s, y: 4.0 };
    p.norm()
}

pub fn halved(x: f64, out: &mut [f64]) -> Result<f64, String> {
    out[0] = x / 2.0;
    if x < 0.0 { Err("it is negative".to_string()) } else { Ok(out[0]) }
}

pub fn spin(step: i64) -> i64 {
    let mut at: i64 = 0;
    while at != -1 {
        at = at.wrapping_add(2 * step);
    }
    at
}

pub fn halved_norm(x: f64, y: f64) -> f64 {
    let p = Point { x, y };
    let norm = p.norm();
    norm / 2.0
}
