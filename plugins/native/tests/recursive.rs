//! Enums that contain themselves in boxes give the same as machine code and in the interpreter, whichever
//! variant is the first.

use overdub_context::value::Value;
use overdub_lower::Loaded;
use overdub_native::Native;

const PROGRAM: &str = r#"
use std::collections::HashMap;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub enum Expr { Add(Box<Expr>, Box<Expr>), Mul(Box<Expr>, Box<Expr>), Num(f64), Var(String) }
use Expr::*;

fn eval(e: &Expr, env: &HashMap<String, Expr>) -> f64 {
    match e {
        Add(a, b) => eval(a, env) + eval(b, env),
        Mul(a, b) => eval(a, env) * eval(b, env),
        Num(x) => *x,
        Var(s) => env.get(s).map_or(0.0, |e| eval(e, env)),
    }
}

pub fn looked_up(x: f64) -> bool { vec![Num(x)].get(x as usize).is_some() }

pub fn the_last(x: f64) -> f64 {
    let v = vec![Num(x), Add(Box::new(Num(1.0)), Box::new(Num(x)))];
    match v.last() { Some(Add(_, b)) => eval(b, &HashMap::new()), _ => 0.0 }
}

pub fn by_name(x: f64) -> f64 {
    let mut env = HashMap::new();
    env.insert("x".to_string(), Num(x));
    let sum = Add(Box::new(Var("x".into())), Box::new(Num(3.0)));
    eval(&Mul(Box::new(Var("x".into())), Box::new(sum)), &env)
}

pub fn leaves(x: f64) -> f64 {
    fn walk<'a>(e: &'a Expr, o: &mut Vec<&'a Expr>) {
        match e { Add(a, b) | Mul(a, b) => { walk(a, o); walk(b, o); } l => o.push(l) }
    }
    let e = Add(Box::new(Num(x)), Box::new(Mul(Box::new(Num(x * x)), Box::new(Num(2.0)))));
    let mut o = vec![];
    walk(&e, &mut o);
    o.iter().map(|e| if let Num(v) = e { v * v } else { 0.0 }).sum()
}

pub fn changed(x: f64) -> f64 {
    fn double(e: &mut Expr) {
        match e { Add(a, b) | Mul(a, b) => { double(a); double(b); } Num(v) => *v *= 2.0, Var(_) => {} }
    }
    let mut e = Add(Box::new(Num(x)), Box::new(Mul(Box::new(Num(x)), Box::new(Num(3.0)))));
    let kept = e.clone();
    double(&mut e);
    eval(&e, &HashMap::new()) + 100.0 * eval(&kept, &HashMap::new())
}

enum Recipe { Mix { l: Arc<Recipe>, r: Arc<Recipe> }, Two, Three }
impl Recipe {
    fn len(&self) -> usize {
        match self { Recipe::Two => 2, Recipe::Three => 3, Recipe::Mix { l, r } => l.len() * r.len() }
    }
}
struct Planner { made: HashMap<usize, Arc<Recipe>> }
impl Planner {
    fn design(&mut self, n: usize) -> Arc<Recipe> {
        if let Some(r) = self.made.get(&n) { return Arc::clone(r); }
        let r = match n {
            2 => Arc::new(Recipe::Two),
            3 => Arc::new(Recipe::Three),
            _ => { let l = self.design(2); let r = self.design(n / 2); Arc::new(Recipe::Mix { l, r }) }
        };
        self.made.insert(n, Arc::clone(&r));
        r
    }
}
pub fn planned(x: f64) -> usize { Planner { made: HashMap::new() }.design(x as usize).len() }

/// Every variant except the last one contains the enum, through a tuple, a struct or an option.
pub enum Deep { Pair((Box<Deep>, f64)), Held(Holder), Maybe(Option<Box<Deep>>), End }
pub struct Holder { of: Box<Deep>, x: f64 }
fn depth(d: &Deep) -> f64 {
    match d {
        Deep::Pair((d, x)) => depth(d) + x,
        Deep::Held(h) => depth(&h.of) * h.x,
        Deep::Maybe(d) => d.as_ref().map_or(0.5, |d| depth(d)) + 1.0,
        Deep::End => 1.0,
    }
}
pub fn deep(x: f64) -> f64 {
    let mut d = Deep::End;
    for i in 0..x as usize {
        d = match i % 3 {
            0 => Deep::Pair((Box::new(d), x)),
            1 => Deep::Held(Holder { of: Box::new(d), x }),
            _ => Deep::Maybe(Some(Box::new(d))),
        };
    }
    let all = vec![d, Deep::Maybe(None)];
    all.iter().map(depth).sum::<f64>() + if all.get(x as usize).is_none() { 100.0 } else { 0.0 }
}
"#;

#[test]
fn an_enum_whose_first_variant_holds_the_enum_gives_what_the_interpreter_gives() {
    let loaded = Loaded::from_source("recursive.rs", PROGRAM).expect("it parses");
    let natives = [Native::new(), Native::new().without_optimising()];
    let engines = natives.map(|native| loaded.engine_builder().executor(native).build());
    for name in ["looked_up", "the_last", "by_name", "leaves", "changed", "planned", "deep"] {
        let func = loaded.function(name).expect("it is there").symbol;
        for x in [0.0, 2.0, 3.0, 7.0] {
            if name == "planned" && x < 2.0 {
                continue;
            }
            let args = || vec![Value::F64(x)];
            let expected =
                loaded.engine().run(func, args()).unwrap_or_else(|error| panic!("{name}: {error}"));
            for engine in &engines {
                let got = engine.run(func, args()).unwrap_or_else(|error| panic!("{name}: {error}"));
                assert!(got.same(&expected), "{name}({x}): {got}, interpreted {expected}");
            }
        }
    }
}
