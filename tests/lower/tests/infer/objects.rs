//! Objects behind `dyn`, and results that hide their type.

trait Model {
    fn eval(&self, x: f64) -> f64;

    fn twice(&self, x: f64) -> f64 {
        self.eval(self.eval(x))
    }
}

struct Linear {
    k: f64,
}

struct Shifted(Box<dyn Model>, f64);

impl Model for Linear {
    fn eval(&self, x: f64) -> f64 {
        self.k * x
    }
}

impl Model for Shifted {
    fn eval(&self, x: f64) -> f64 {
        self.0.eval(x) + self.1
    }
}

fn models() -> Vec<Box<dyn Model>> {
    let mut all: Vec<Box<dyn Model>> = vec![Box::new(Linear { k: 2.0 })]; // all: Vec<Box<dyn Model>>
    all.push(Box::new(Shifted(Box::new(Linear { k: 1.0 }), 3.0)));
    all
}

fn run(m: &dyn Model) -> f64 {
    let y = m.twice(1.0); // y: f64
    y
}

fn all() -> f64 {
    let direct = run(&Linear { k: 1.0 }); // direct: f64
    direct + models().iter().map(|m| m.eval(1.0) + run(m.as_ref())).sum::<f64>()
}

fn chosen(c: bool) -> Box<dyn Model> {
    if c { Box::new(Linear { k: 1.0 }) } else { Box::new(Shifted(Box::new(Linear { k: 1.0 }), 0.0)) }
}

fn evens(n: u32) -> impl Iterator<Item = u32> {
    (0..n).filter(|i| i % 2 == 0)
}

fn hidden() -> u32 {
    let it = evens(10);
    let v: Vec<u32> = it.map(|x| x + 1).collect(); // x: u32
    let total: u32 = evens(4).chain(v).sum(); // total: u32
    total
}

fn generic_model(m: &impl Model) -> f64 {
    m.eval(2.0)
}

fn through_generic() -> f64 {
    generic_model(&Linear { k: 2.0 })
}

fn dyn_iter<'a>(xs: &'a [f64], back: bool) -> Box<dyn Iterator<Item = &'a f64> + 'a> {
    if back { Box::new(xs.iter().rev()) } else { Box::new(xs.iter()) }
}

fn uses_dyn_iter(xs: &[f64]) -> f64 {
    let mut total = 0.0; // total: f64
    for x in dyn_iter(xs, true) { // x: &f64
        total += x;
    }
    total + dyn_iter(xs, false).map(|x| x * 2.0).sum::<f64>()
}
