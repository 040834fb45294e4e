//! Programs of the size that people write: a parser, graphs, observers, numerics.

use std::cell::{Cell, RefCell};
use std::collections::*;
use std::fmt;
use std::rc::{Rc, Weak};
fn show<T: fmt::Debug>(x: T) -> String {
    format!("{x:?}")
}

pub fn parser() -> String {
    #[derive(Debug, Clone, PartialEq)]
    enum Token {
        Num(f64),
        Op(char),
        Open,
        Close,
    }
    #[derive(Debug)]
    enum Expr {
        Num(f64),
        Neg(Box<Expr>),
        Bin(Box<Expr>, char, Box<Expr>),
    }
    #[derive(Debug, PartialEq)]
    enum Error {
        Unexpected(char, usize),
        End,
        Number(String),
    }
    impl fmt::Display for Error {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                Error::Unexpected(c, at) => write!(f, "unexpected `{c}` at {at}"),
                Error::End => f.write_str("unexpected end"),
                Error::Number(s) => write!(f, "bad number {s:?}"),
            }
        }
    }
    fn lex(s: &str) -> Result<Vec<Token>, Error> {
        let chars: Vec<char> = s.chars().collect();
        let mut i = 0;
        let mut out = vec![];
        while i < chars.len() {
            match chars[i] {
                c if c.is_whitespace() => i += 1,
                '0'..='9' | '.' => {
                    let start = i;
                    while i < chars.len() && (chars[i].is_ascii_digit() || chars[i] == '.') {
                        i += 1;
                    }
                    let t: String = chars[start..i].iter().collect();
                    out.push(Token::Num(t.parse().map_err(|_| Error::Number(t.clone()))?));
                }
                c @ ('+' | '-' | '*' | '/') => {
                    out.push(Token::Op(c));
                    i += 1;
                }
                '(' => {
                    out.push(Token::Open);
                    i += 1;
                }
                ')' => {
                    out.push(Token::Close);
                    i += 1;
                }
                c => return Err(Error::Unexpected(c, i)),
            }
        }
        Ok(out)
    }
    struct Parser<'a> {
        tokens: std::iter::Peekable<std::slice::Iter<'a, Token>>,
    }
    impl<'a> Parser<'a> {
        fn sum(&mut self) -> Result<Expr, Error> {
            let mut l = self.term()?;
            while let Some(Token::Op(c @ ('+' | '-'))) = self.tokens.peek() {
                self.tokens.next();
                let r = self.term()?;
                l = Expr::Bin(Box::new(l), *c, Box::new(r));
            }
            Ok(l)
        }
        fn term(&mut self) -> Result<Expr, Error> {
            let mut l = self.atom()?;
            loop {
                match self.tokens.peek() {
                    Some(Token::Op(c)) if "*/".contains(*c) => {
                        self.tokens.next();
                        l = Expr::Bin(Box::new(l), *c, Box::new(self.atom()?));
                    }
                    _ => return Ok(l),
                }
            }
        }
        fn atom(&mut self) -> Result<Expr, Error> {
            match self.tokens.next() {
                Some(Token::Num(x)) => Ok(Expr::Num(*x)),
                Some(Token::Op('-')) => Ok(Expr::Neg(Box::new(self.atom()?))),
                Some(Token::Open) => {
                    let e = self.sum()?;
                    match self.tokens.next() {
                        Some(Token::Close) => Ok(e),
                        _ => Err(Error::End),
                    }
                }
                _ => Err(Error::End),
            }
        }
    }
    fn eval(e: &Expr) -> f64 {
        match e {
            Expr::Num(x) => *x,
            Expr::Neg(e) => -eval(e),
            Expr::Bin(l, op, r) => {
                let (l, r) = (eval(l), eval(r));
                match op {
                    '+' => l + r,
                    '-' => l - r,
                    '*' => l * r,
                    '/' => l / r,
                    _ => unreachable!(),
                }
            }
        }
    }
    let run = |s: &str| -> Result<f64, Error> {
        let t = lex(s)?;
        let mut p = Parser { tokens: t.iter().peekable() };
        p.sum().map(|e| eval(&e))
    };
    let outs: Vec<String> = ["1 + 2*3", "-(4 - 1.5)/2", "2 * (3", "a+1", "1..2"]
        .iter()
        .map(|s| match run(s) {
            Ok(x) => format!("{x}"),
            Err(e) => e.to_string(),
        })
        .collect();
    show(outs)
}
pub fn graph() -> String {
    let edges = [(0, 1, 4.0), (0, 2, 1.0), (2, 1, 2.0), (1, 3, 5.0), (2, 3, 8.0)];
    let mut adj: HashMap<usize, Vec<(usize, f64)>> = HashMap::new();
    for &(a, b, w) in &edges {
        adj.entry(a).or_insert_with(Vec::new).push((b, w));
    }
    #[derive(PartialEq)]
    struct State(f64, usize);
    impl Eq for State {}
    impl PartialOrd for State {
        fn partial_cmp(&self, o: &Self) -> Option<std::cmp::Ordering> {
            Some(self.cmp(o))
        }
    }
    impl Ord for State {
        fn cmp(&self, o: &Self) -> std::cmp::Ordering {
            o.0.partial_cmp(&self.0).unwrap().then_with(|| self.1.cmp(&o.1))
        }
    }
    let mut dist = vec![f64::INFINITY; 4];
    let mut heap = BinaryHeap::new();
    dist[0] = 0.0;
    heap.push(State(0.0, 0));
    while let Some(State(d, v)) = heap.pop() {
        if d > dist[v] {
            continue;
        }
        if let Some(ns) = adj.get(&v) {
            for &(n, w) in ns {
                let nd = d + w;
                if nd < dist[n] {
                    dist[n] = nd;
                    heap.push(State(nd, n));
                }
            }
        }
    }
    let mut seen = HashSet::new();
    let mut queue = VecDeque::from([0usize]);
    let mut order = vec![];
    while let Some(v) = queue.pop_front() {
        if !seen.insert(v) {
            continue;
        }
        order.push(v);
        for (n, _) in adj.get(&v).into_iter().flatten() {
            queue.push_back(*n);
        }
    }
    show((dist, order))
}
pub fn observers() -> String {
    trait Observer {
        fn notify(&self, x: f64);
        fn total(&self) -> f64;
    }
    struct Sum {
        t: Cell<f64>,
    }
    struct Log {
        lines: RefCell<Vec<String>>,
        n: Cell<usize>,
    }
    impl Observer for Sum {
        fn notify(&self, x: f64) {
            self.t.set(self.t.get() + x);
        }
        fn total(&self) -> f64 {
            self.t.get()
        }
    }
    impl Observer for Log {
        fn notify(&self, x: f64) {
            self.lines.borrow_mut().push(format!("{x:.1}"));
            self.n.set(self.n.get() + 1);
        }
        fn total(&self) -> f64 {
            self.lines.borrow().iter().map(|l| l.len() as f64).sum::<f64>() + self.n.get() as f64
        }
    }
    let all: Vec<Rc<dyn Observer>> =
        vec![Rc::new(Sum { t: Cell::new(0.0) }), Rc::new(Log { lines: RefCell::default(), n: Cell::new(0) })];
    for x in [1.0, 2.5] {
        for o in &all {
            o.notify(x);
        }
    }
    let second = all[1].clone();
    second.notify(9.0);
    show(all.iter().map(|o| o.total()).collect::<Vec<_>>())
}
pub fn parents() -> String {
    struct Node {
        name: String,
        parent: RefCell<Weak<Node>>,
        kids: RefCell<Vec<Rc<Node>>>,
    }
    let root =
        Rc::new(Node { name: "root".into(), parent: RefCell::new(Weak::new()), kids: RefCell::new(vec![]) });
    let kid =
        Rc::new(Node { name: "kid".into(), parent: RefCell::new(Weak::new()), kids: RefCell::new(vec![]) });
    *kid.parent.borrow_mut() = Rc::downgrade(&root);
    root.kids.borrow_mut().push(kid.clone());
    let text = show((
        kid.parent.borrow().upgrade().map(|p| p.name.clone()),
        root.parent.borrow().upgrade().is_none(),
        root.kids.borrow().len(),
        kid.kids.borrow().is_empty(),
    ));
    text
}
pub fn state_machines() -> String {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    enum Light {
        Red = 1,
        Green = 5,
        Amber,
    }
    impl Light {
        const ALL: [Light; 3] = [Light::Red, Light::Green, Light::Amber];
        fn next(self) -> Self {
            use Light::*;
            match self {
                Red => Green,
                Green => Amber,
                Amber => Red,
            }
        }
    }
    impl TryFrom<i32> for Light {
        type Error = String;
        fn try_from(n: i32) -> Result<Self, String> {
            Self::ALL.into_iter().find(|l| *l as i32 == n).ok_or_else(|| format!("no light {n}"))
        }
    }
    impl std::str::FromStr for Light {
        type Err = ();
        fn from_str(s: &str) -> Result<Self, ()> {
            match s.to_lowercase().as_ref() {
                "red" => Ok(Self::Red),
                "green" => Ok(Self::Green),
                _ => Err(()),
            }
        }
    }
    let mut l = Light::Red;
    let mut counts: BTreeMap<Light, u32> = BTreeMap::new();
    for _ in 0..7 {
        *counts.entry(l).or_insert(0) += 1;
        l = l.next();
    }
    show((
        l,
        &counts,
        Light::try_from(6),
        Light::try_from(2),
        "RED".parse::<Light>(),
        "x".parse::<Light>(),
        Light::Amber as u8,
        Light::Red < Light::Amber,
    ))
}
pub fn numerics() -> String {
    fn newton(f: impl Fn(f64) -> f64, df: impl Fn(f64) -> f64, mut x: f64) -> Option<f64> {
        for _ in 0..50 {
            let step = f(x) / df(x);
            if !step.is_finite() {
                return None;
            }
            x -= step;
            if step.abs() < 1e-12 {
                return Some(x);
            }
        }
        None
    }
    fn simpson<F>(f: F, a: f64, b: f64, n: usize) -> f64
    where
        F: Fn(f64) -> f64,
    {
        let h = (b - a) / n as f64;
        (0..=n)
            .map(|i| {
                let w = match i {
                    0 => 1.0,
                    i if i == n => 1.0,
                    i if i % 2 == 1 => 4.0,
                    _ => 2.0,
                };
                w * f(a + i as f64 * h)
            })
            .sum::<f64>()
            * h
            / 3.0
    }
    fn rk4<const N: usize>(f: &dyn Fn(f64, [f64; N]) -> [f64; N], y: [f64; N], t: f64, h: f64) -> [f64; N] {
        let add = |a: [f64; N], b: [f64; N], s: f64| {
            let mut o = a;
            for (x, y) in o.iter_mut().zip(b.iter()) {
                *x += s * y;
            }
            o
        };
        let k1 = f(t, y);
        let k2 = f(t + h / 2.0, add(y, k1, h / 2.0));
        let k3 = f(t + h / 2.0, add(y, k2, h / 2.0));
        let k4 = f(t + h, add(y, k3, h));
        std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
    }
    let mut y = [1.0, 0.0];
    for i in 0..10 {
        y = rk4(&|_t, [x, v]| [v, -x], y, i as f64 * 0.1, 0.1);
    }
    let xs: Vec<f64> = (0..50).map(|i| (i as f64 * 0.37).sin()).collect();
    let mean = xs.iter().sum::<f64>() / xs.len() as f64;
    let var = xs.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (xs.len() - 1) as f64;
    let mut sorted = xs.clone();
    sorted.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let median = (sorted[24] + sorted[25]) / 2.0;
    let mut seed = 42u64;
    let mut rng = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 11) as f64 / (1u64 << 53) as f64
    };
    let r: Vec<f64> = (0..3).map(|_| rng()).collect();
    let mut dft = vec![(0.0, 0.0); 4];
    for (k, o) in dft.iter_mut().enumerate() {
        for (n, x) in xs.iter().take(4).enumerate() {
            let a = -2.0 * std::f64::consts::PI * (k * n) as f64 / 4.0;
            o.0 += x * a.cos();
            o.1 += x * a.sin();
        }
    }
    show((
        newton(|x| x * x - 2.0, |x| 2.0 * x, 1.0),
        newton(|_| 1.0, |_| 0.0, 1.0),
        simpson(f64::sin, 0.0, 1.0, 10),
        y,
        mean,
        var,
        median,
        r,
        dft,
    ))
}
pub fn linear() -> String {
    fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Result<Vec<f64>, String> {
        let n = b.len();
        for c in 0..n {
            let p = (c..n).max_by(|&i, &j| a[i][c].abs().total_cmp(&a[j][c].abs())).unwrap();
            if a[p][c].abs() < 1e-12 {
                return Err(format!("singular at {c}"));
            }
            a.swap(c, p);
            b.swap(c, p);
            for r in c + 1..n {
                let f = a[r][c] / a[c][c];
                for k in c..n {
                    let t = a[c][k];
                    a[r][k] -= f * t;
                }
                b[r] -= f * b[c];
            }
        }
        let mut x = vec![0.0; n];
        for i in (0..n).rev() {
            let s: f64 = a[i][i + 1..].iter().zip(&x[i + 1..]).map(|(p, q)| p * q).sum();
            x[i] = (b[i] - s) / a[i][i];
        }
        Ok(x)
    }
    fn det<const N: usize>(m: [[f64; N]; N]) -> f64 {
        let mut m = m;
        let mut d = 1.0;
        for i in 0..N {
            if m[i][i] == 0.0 {
                match (i + 1..N).find(|&r| m[r][i] != 0.0) {
                    Some(r) => {
                        m.swap(i, r);
                        d = -d;
                    }
                    None => return 0.0,
                }
            }
            d *= m[i][i];
            for r in i + 1..N {
                let f = m[r][i] / m[i][i];
                let (top, bottom) = m.split_at_mut(r);
                for (x, y) in bottom[0].iter_mut().zip(top[i].iter()) {
                    *x -= f * y;
                }
            }
        }
        d
    }
    show((
        solve(vec![vec![0.0, 2.0], vec![3.0, 1.0]], vec![4.0, 5.0]),
        solve(vec![vec![1.0, 1.0], vec![2.0, 2.0]], vec![1.0, 1.0]),
        det([[0.0, 2.0, 1.0], [1.0, 1.0, 0.0], [4.0, 0.5, 2.0]]),
    ))
}
