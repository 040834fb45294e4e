//! Patterns, and the binding modes of matching through references.

#[derive(Clone, Debug)]
enum Expr {
    Num(f64),
    Add(Box<Expr>, Box<Expr>),
    Scale { by: f64, inner: Box<Expr> },
    Nothing,
}

use Expr::*;

fn eval(e: &Expr) -> f64 {
    match e {
        Num(x) => *x, // x: &f64
        Add(a, b) => eval(a) + eval(b), // a: &Box<Expr>
        Expr::Scale { by, inner } => by * eval(inner), // by: &f64
        Nothing => 0.0,
    }
}

fn owned(e: Expr) -> f64 {
    match e {
        Num(x) if x > 0.0 => x, // x: f64
        Num(x) => -x,
        Add(a, _) => owned(*a), // a: Box<Expr>
        Scale { by: k, .. } => k, // k: f64
        Nothing => f64::NAN,
    }
}

fn changed(e: &mut Expr) {
    if let Num(x) = e { // x: &mut f64
        *x += 1.0;
    }
    match e {
        Scale { by, .. } => *by = 2.0, // by: &mut f64
        Add(a, b) => {
            changed(a);
            changed(b);
        }
        _ => {}
    }
}

fn tuples(xs: &[(usize, f64)]) -> f64 {
    let mut total = 0.0; // total: f64
    for (i, x) in xs { // i: &usize | x: &f64
        total += *i as f64 * x;
    }
    for &(i, x) in xs { // i: usize | x: f64
        total += i as f64 * x;
    }
    let (a, (b, c)) = (1u8, (2.0f32, 'c')); // a: u8 | b: f32 | c: char
    if c == 'c' { total + a as f64 + b as f64 } else { total }
}

fn slices(xs: &[f64]) -> f64 {
    match xs {
        [] => 0.0,
        [only] => *only, // only: &f64
        [first, .., last] => first * last, // first: &f64
    }
}

fn rests(xs: &[f64]) -> f64 {
    if let [head, tail @ ..] = xs { // head: &f64 | tail: &[f64]
        return head + rests(tail);
    }
    0.0
}

fn arrays(a: [f64; 3]) -> f64 {
    let [x, y, z] = a; // x: f64
    let [p, rest @ ..] = a; // rest: [f64; 2]
    x + y + z + p + rest[0]
}

fn options(x: Option<f64>, r: Result<i64, String>) -> f64 {
    let Some(v) = x else { return 0.0 }; // v: f64
    let n = match r {
        Ok(n @ 1..=9) => n, // n: i64
        Ok(0 | 10) => 0,
        Ok(_) => -1,
        Err(message) => message.len() as i64, // message: String
    };
    if let Some(y) = x.as_ref() { // y: &f64
        return v + y;
    }
    while let Some(z) = x { // z: f64
        return z;
    }
    v + n as f64
}

fn words(s: &str, c: char) -> u8 {
    let a = match s { // a: u8
        "one" => 1,
        "two" => 2,
        _ => 0,
    };
    let b = match c { // b: u8
        'a'..='f' => 1,
        'g' | 'h' => 2,
        _ => 3,
    };
    a + b
}

const LIMIT: usize = 3;

fn constants(n: usize) -> usize {
    match n {
        LIMIT => 1,
        usize::MAX => 2,
        other => other, // other: usize
    }
}

fn by_ref(pair: (Vec<f64>, f64)) -> f64 {
    let (ref v, w) = pair; // v: &Vec<f64> | w: f64
    let mut local = [1.0, 2.0]; // local: [f64; 2]
    let [ref mut a, _] = local; // a: &mut f64
    *a = 3.0;
    v[0] + w + local[0]
}
