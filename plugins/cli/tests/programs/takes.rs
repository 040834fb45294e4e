//! Functions that take arguments of many types.

pub enum Either {
    Left(f64),
    Right { x: i8, y: Option<char> },
    None,
}

pub struct Point {
    pub x: f64,
    pub y: f32,
}

pub fn numbers(a: u8, b: i64, c: f64) -> f64 {
    a as f64 + b as f64 * c
}

pub fn text(a: &str, b: char, c: String) -> usize {
    a.len() + b.len_utf8() + c.len()
}

pub fn nested(a: Vec<Vec<Option<f64>>>) -> f64 {
    a.iter().flatten().flatten().sum()
}

pub fn either(a: &Either) -> f64 {
    match a {
        Either::Left(x) => *x,
        Either::Right { x, y } => *x as f64 + y.map_or(0.0, |c| c as u32 as f64),
        Either::None => 0.0,
    }
}

pub fn points(a: &[Point], b: (f64, [i32; 2])) -> f64 {
    a.iter().map(|p| p.x * p.y as f64).sum::<f64>() + b.0 * b.1[0] as f64
}

pub fn table(a: std::collections::BTreeMap<String, f64>) -> f64 {
    a.values().sum()
}
