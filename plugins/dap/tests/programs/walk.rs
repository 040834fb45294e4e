pub struct Point {
    pub x: f64,
    pub y: f64,
}

pub fn norm(p: &Point) -> f64 {
    let squares = p.x * p.x + p.y * p.y;
    squares.sqrt()
}

pub fn walk(n: usize, scale: f64) -> f64 {
    let mut p = Point { x: 0.0, y: 4.0 };
    let mut xs = vec![0.0; n];

    for i in 0..n {
        xs[i] = scale * i as f64;
        p.x += xs[i];
        println!("step {i}");
    }
    let pair = (p.x, n);
    norm(&p) + pair.0
}

pub fn forever() -> u64 {
    let mut i = 0_u64;
    loop {
        i = i.wrapping_add(1);
    }
}

pub fn beyond(n: usize) -> f64 {
    let xs = vec![1.0, 2.0];
    let at = n + 1;
    xs[at]
}

pub fn not_a_number(x: f64) -> f64 {
    let zero = x - x;
    let y = zero / zero;
    y + 1.0
}

pub fn deep(n: u64) -> u64 {
    if n == 0 {
        return 0;
    }
    deep(n - 1) + 1
}

pub fn long(n: usize) -> f64 {
    let xs: Vec<f64> = (0..n).map(|i| i as f64).collect();
    let name = "some text";
    let kind = Some(xs.len());
    xs[0] + name.len() as f64 + kind.unwrap_or(0) as f64
}

pub fn refused(x: f64) -> Result<f64, String> {
    if x < 0.0 { Err("it is negative".to_string()) } else { Ok(x) }
}

pub fn norm_of(x: f64, y: f64) -> f64 {
    let norm = (x * x + y * y).sqrt();
    let half = norm / 2.0;
    half
}
