//! Patterns in every position.

#[derive(Clone, Debug, PartialEq)]
enum Shape {
    Dot,
    Circle(f64),
    Rect { w: f64, h: f64 },
    Group(Vec<Shape>),
    Moved(Box<Shape>, (f64, f64)),
}

const LIMIT: i32 = 7;
const HALF: f64 = 0.5;

fn step(x: f64) -> i32 {
    x as i32
}

pub fn literals(x: f64) -> f64 {
    match step(x) {
        0 => 1.0,
        1 => 2.0,
        -2 => 3.0,
        LIMIT => 4.0,
        _ => 5.0,
    }
}

pub fn ranges(x: f64) -> f64 {
    match step(x) {
        i32::MIN..=-1 => -1.0,
        0..5 => 0.25,
        5..=10 => 0.5,
        11.. => 1.0,
    }
}

pub fn guards(x: f64) -> f64 {
    match x {
        y if y < 0.0 => -y,
        0.0 => 10.0,
        y if y > 5.0 && y < 10.0 => y * 2.0,
        y => y + 0.125,
    }
}

pub fn bindings(x: f64) -> f64 {
    let n = step(x);
    match n {
        small @ 0..=3 => small as f64 * 2.0,
        other @ (4 | 7) => other as f64 * 3.0,
        rest => rest as f64,
    }
}

pub fn or_patterns(x: f64) -> f64 {
    match (step(x), x > 0.5) {
        (0 | 1, true) => 1.0,
        (0, false) | (7, true) => 2.0,
        (_, b) => {
            if b {
                3.0
            } else {
                4.0
            }
        }
    }
}

fn size(s: &Shape) -> f64 {
    match s {
        Shape::Circle(r) | Shape::Moved(_, (r, _)) => *r,
        Shape::Rect { w: a, .. } => *a,
        _ => 0.5,
    }
}

pub fn or_bindings(x: f64) -> f64 {
    size(&Shape::Circle(x))
        + size(&Shape::Moved(Box::new(Shape::Dot), (2.0 * x, 1.0)))
        + size(&Shape::Rect { w: 3.0, h: x })
}

fn area(s: &Shape) -> f64 {
    match s {
        Shape::Dot => 0.0,
        Shape::Circle(r) if *r < 0.0 => -1.0,
        Shape::Circle(r) => 3.0 * r * r,
        Shape::Rect { w, h } => w * h,
        Shape::Group(all) => all.iter().map(area).sum(),
        Shape::Moved(inner, (dx, _)) => area(inner) + dx,
    }
}

pub fn nested_enums(x: f64) -> f64 {
    let s = Shape::Group(vec![
        Shape::Circle(x),
        Shape::Moved(Box::new(Shape::Rect { w: x, h: 2.0 }), (x, 0.0)),
        Shape::Dot,
    ]);
    match &s {
        Shape::Group(all) if matches!(all.first(), Some(Shape::Circle(r)) if *r > 5.0) => area(&s) * 2.0,
        other => area(other),
    }
}

pub fn tuples(x: f64) -> f64 {
    let t = (x, (1, "one"), [2.0, x]);
    let (a, (n, text), [b, c]) = t;
    let (first, ..) = t;
    let (.., last) = (1, 2, x);
    a + n as f64 + text.len() as f64 + b * c + first + last
}

fn describe(v: &[f64]) -> f64 {
    match v {
        [] => 0.0,
        [one] => *one,
        [a, b] => a * b,
        [first, .., last] => first - last,
    }
}

pub fn slices(x: f64) -> f64 {
    describe(&[]) + describe(&[x]) + describe(&[x, 2.0]) * 10.0 + describe(&[x, 1.0, 2.0, 5.0]) * 100.0
}

fn sum(v: &[f64]) -> f64 {
    match v {
        [head, tail @ ..] => head + 2.0 * sum(tail),
        [] => 0.0,
    }
}

pub fn slice_rest(x: f64) -> f64 {
    let mut v = [1.0, x, 3.0, 4.0];
    if let [a, mid @ .., z] = &mut v {
        *a += *z;
        mid[0] *= 2.0;
    }
    let [_, rest @ ..] = v;
    sum(&v) + rest.len() as f64 + rest[0]
}

pub fn refs(x: f64) -> f64 {
    let pairs = vec![(1.0, x), (2.0, 3.0)];
    let a: f64 = pairs.iter().map(|&(p, q)| p * q).sum();
    let b: f64 = pairs.iter().map(|(p, q)| p + q).sum();
    let r = &Some(x);
    let c = match r {
        &Some(y) => y,
        &None => 0.0,
    };
    let ref d = x;
    a + b + c + *d
}

pub fn boxes(x: f64) -> f64 {
    let b = Box::new(Shape::Moved(Box::new(Shape::Circle(x)), (1.0, 2.0)));
    match *b {
        Shape::Moved(inner, (_, k)) => match *inner {
            Shape::Circle(r) => r * k,
            _ => 0.0,
        },
        _ => 1.0,
    }
}

pub fn consts(x: f64) -> f64 {
    match (x, step(x)) {
        (HALF, _) => 1.0,
        (_, LIMIT) => 2.0,
        (f64::INFINITY, _) => 3.0,
        _ => 4.0,
    }
}

fn parse(x: f64) -> Option<f64> {
    let Some(y) = (if x > 0.5 { Some(x * 2.0) } else { None }) else {
        return None;
    };
    let (Ok(z) | Err(z)) = (if y > 3.0 { Ok(y) } else { Err(-y) });
    Some(z)
}

pub fn let_else(x: f64) -> f64 {
    parse(x).unwrap_or(-7.0)
}

pub fn if_let_chain(x: f64) -> f64 {
    let o = Some(x);
    if let Some(y) = o
        && y > 0.0
        && let Some(z) = Some(y + 1.0).filter(|z| *z > 1.5)
    {
        z
    } else if let Some(y) = o {
        y - 1.0
    } else {
        0.0
    }
}

pub fn while_let(x: f64) -> f64 {
    let mut stack = vec![x, 1.0, 2.0];
    let mut acc = 0.0;
    while let Some(top) = stack.pop() {
        acc = acc * 2.0 + top;
        if acc > 1.0 && acc < 1.5 {
            stack.push(acc);
        }
    }
    acc
}

fn grow(s: &mut Shape) {
    match s {
        Shape::Circle(r) => *r += 1.0,
        Shape::Rect { w, h } => {
            *w *= 2.0;
            std::mem::swap(w, h);
        }
        Shape::Group(all) => {
            for one in all.iter_mut() {
                grow(one);
            }
            all.push(Shape::Circle(1.0));
        }
        Shape::Moved(inner, (dx, _)) => {
            *dx += 1.0;
            grow(inner);
        }
        Shape::Dot => *s = Shape::Circle(0.5),
    }
}

pub fn match_mut(x: f64) -> f64 {
    let mut s = Shape::Group(vec![
        Shape::Circle(x),
        Shape::Rect { w: x, h: 2.0 },
        Shape::Dot,
        Shape::Moved(Box::new(Shape::Circle(x)), (0.0, 0.0)),
    ]);
    grow(&mut s);
    grow(&mut s);
    area(&s)
}

pub fn match_text(x: f64) -> f64 {
    let name = if x > 0.5 { "big" } else { "small" };
    let owned = name.to_string();
    let a = match owned.as_str() {
        "big" => 1.0,
        "small" | "tiny" => 2.0,
        _ => 3.0,
    };
    a + match (name, x > 2.0) {
        ("big", true) => 10.0,
        ("big", false) => 20.0,
        _ => 30.0,
    }
}

pub fn chars(x: f64) -> f64 {
    let text = format!("{x:.2}");
    let mut score = 0;
    for c in text.chars() {
        score = score * 3
            + match c {
                '0' => 1,
                '1'..='4' => 2,
                '.' | '-' => 5,
                c if c.is_ascii_digit() => 4,
                _ => 7,
            };
    }
    f64::from(score % 1000)
}

pub fn irrefutable(x: f64) -> f64 {
    struct P {
        a: f64,
        b: [f64; 2],
    }
    let P { a, b: [c, d] } = P { a: x, b: [1.0, 2.0] };
    let f = |P { a, .. }: P, (x, y): (f64, f64)| a + x * y;
    for (i, [p, q]) in [[1.0, 2.0], [3.0, x]].into_iter().enumerate() {
        if i == 1 {
            return a + c + d + p * q + f(P { a: 1.0, b: [0.0; 2] }, (2.0, x));
        }
    }
    0.0
}

pub fn nested_or(x: f64) -> f64 {
    let value = (Some(step(x)), if x > 0.0 { Ok(1) } else { Err("no") });
    match value {
        (Some(0 | 7), Ok(n @ (1 | 2))) => n as f64,
        (Some(n), Ok(_)) | (Some(n), Err("no")) if n != 1000 => n as f64 * 2.0,
        (None, _) | (_, Err(_)) => 5.0,
        (Some(_), Ok(_)) => 6.0,
    }
}

pub fn struct_patterns(x: f64) -> f64 {
    #[derive(Clone, Copy)]
    struct Q {
        on: bool,
        level: f64,
        at: (i32, i32),
    }
    let q = Q { on: x > 0.5, level: x, at: (step(x), 3) };
    match q {
        Q { on: false, .. } => -1.0,
        Q { level, at: (1, _), .. } => level + 10.0,
        Q { at: (a, b), level: l @ 0.0..=10.0, .. } => l + (a * b) as f64,
        Q { level, .. } => level,
    }
}

pub fn bool_pairs(x: f64) -> f64 {
    match (x > 0.0, x > 2.0) {
        (true, true) => 1.0,
        (true, false) => 2.0,
        (false, true) => 3.0,
        (false, false) => 4.0,
    }
}

pub fn int_dispatch(x: f64) -> f64 {
    let code = |n: i64| match n {
        -2 => 1,
        0 | 1 => 2,
        7 => 3,
        1000 => 4,
        _ => 0,
    };
    let byte = match (x.abs() as u8) % 4 {
        0 => 10,
        1 => 20,
        2 => 30,
        _ => 40,
    };
    f64::from(code(x as i64) + byte)
}

pub fn guards_of_alternatives(x: f64) -> f64 {
    let pair = (x as i64 % 3, 2);
    let first = match pair {
        (a, _) | (_, a) if a == 2 => a * 10,
        _ => -1,
    };
    let nested = match (Some(pair), 7) {
        (Some((a, _) | (_, a)), b) | (Some((b, _)), a) if a + b == 9 => a * 100 + b,
        (None, _) | (_, 0) => -2,
        _ => -3,
    };
    let mut asked = 0;
    let mut ask = |holds: bool| {
        asked += 1;
        holds
    };
    let often = match pair.1 {
        2 | 1..=3 | _ if ask(false) => 1,
        1 | 3 if ask(true) => 2,
        _ => 3,
    };
    (first + nested + often) as f64 + f64::from(asked) * 0.5
}

pub fn guards_of_alternatives_that_move(x: f64) -> f64 {
    let both = (vec![x; 2], vec![x; 3]);
    match both {
        (v, _) | (_, v) if v.len() == 3 => v.iter().sum(),
        (v, _) => v[0],
    }
}
