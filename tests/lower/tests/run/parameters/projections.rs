//! Generic associated types of parameters: the argument of one is known from another of the same, also where the type that
//! it is bound to does not mention it.

pub trait Mode {
    type Output<T>;
    fn bind<T, F: FnOnce() -> T>(f: F) -> Self::Output<T>;
    fn map<T, U, F: FnOnce(T) -> U>(x: Self::Output<T>, f: F) -> Self::Output<U>;
    fn combine<T, U, V, F: FnOnce(T, U) -> V>(
        x: Self::Output<T>,
        y: Self::Output<U>,
        f: F,
    ) -> Self::Output<V>;
    fn show(x: Self::Output<f64>) -> f64;
}
pub struct Emit;
impl Mode for Emit {
    type Output<T> = T;
    fn bind<T, F: FnOnce() -> T>(f: F) -> T {
        f()
    }
    fn map<T, U, F: FnOnce(T) -> U>(x: T, f: F) -> U {
        f(x)
    }
    fn combine<T, U, V, F: FnOnce(T, U) -> V>(x: T, y: U, f: F) -> V {
        f(x, y)
    }
    fn show(x: f64) -> f64 {
        x
    }
}
pub struct Check;
impl Mode for Check {
    type Output<T> = ();
    fn bind<T, F: FnOnce() -> T>(_: F) {}
    fn map<T, U, F: FnOnce(T) -> U>(_: (), _: F) {}
    fn combine<T, U, V, F: FnOnce(T, U) -> V>(_: (), _: (), _: F) {}
    fn show(_: ()) -> f64 {
        0.25
    }
}
pub struct List;
impl Mode for List {
    type Output<T> = Vec<T>;
    fn bind<T, F: FnOnce() -> T>(f: F) -> Vec<T> {
        vec![f()]
    }
    fn map<T, U, F: FnOnce(T) -> U>(mut x: Vec<T>, f: F) -> Vec<U> {
        vec![f(x.pop().unwrap())]
    }
    fn combine<T, U, V, F: FnOnce(T, U) -> V>(mut x: Vec<T>, mut y: Vec<U>, f: F) -> Vec<V> {
        vec![f(x.pop().unwrap(), y.pop().unwrap())]
    }
    fn show(x: Vec<f64>) -> f64 {
        x[0] + x.len() as f64
    }
}

pub trait Fault: Sized {
    fn at(k: f64) -> Self;
    fn or(self, other: Self) -> Self;
    fn cost(&self) -> f64;
}
#[derive(Debug)]
pub struct Far(f64);
impl Fault for Far {
    fn at(k: f64) -> Far {
        Far(k)
    }
    fn or(self, other: Far) -> Far {
        if self.0 > other.0 { self } else { other }
    }
    fn cost(&self) -> f64 {
        self.0 * 3.0
    }
}
impl Fault for (f64, f64) {
    fn at(k: f64) -> (f64, f64) {
        (k, 1.0)
    }
    fn or(self, other: (f64, f64)) -> (f64, f64) {
        (self.0 + other.0, self.1 * 2.0)
    }
    fn cost(&self) -> f64 {
        self.0 - self.1
    }
}

pub trait Modes {
    type Value: Mode;
    type Error: Mode;
}
pub struct Both<V, E>(V, E);
impl<V: Mode, E: Mode> Modes for Both<V, E> {
    type Value = V;
    type Error = E;
}
pub enum Failed<E, F> {
    Hard(E),
    Soft(F),
}
type Parsed<M, O, E> = Result<
    (f64, <<M as Modes>::Value as Mode>::Output<O>),
    Failed<E, <<M as Modes>::Error as Mode>::Output<E>>,
>;
pub trait Parse {
    type Out;
    type Error: Fault;
    fn process<M: Modes>(&mut self, x: f64) -> Parsed<M, Self::Out, Self::Error>;
}
pub struct Above<E>(f64, std::marker::PhantomData<E>);
impl<E: Fault> Parse for Above<E> {
    type Out = f64;
    type Error = E;
    fn process<M: Modes>(&mut self, x: f64) -> Parsed<M, f64, E> {
        if x > 900.0 {
            return Err(Failed::Hard(E::at(x)));
        }
        if x > self.0 {
            Ok((x - 1.0, M::Value::bind(|| x * self.0)))
        } else {
            Err(Failed::Soft(M::Error::bind(|| E::at(self.0))))
        }
    }
}
pub struct Choice<T>(T);
impl<O, E: Fault, A: Parse<Out = O, Error = E>, B: Parse<Out = O, Error = E>, C: Parse<Out = O, Error = E>>
    Parse for Choice<(A, B, C)>
{
    type Out = O;
    type Error = E;
    fn process<M: Modes>(&mut self, x: f64) -> Parsed<M, O, E> {
        match self.0.0.process::<M>(x) {
            Ok(res) => Ok(res),
            Err(Failed::Hard(e)) => Err(Failed::Hard(e)),
            Err(Failed::Soft(e)) => match self.0.1.process::<M>(x) {
                Ok(res) => Ok(res),
                Err(Failed::Hard(f)) => Err(Failed::Hard(f)),
                Err(Failed::Soft(f)) => {
                    let err = <M::Error as Mode>::combine(e, f, |e1, e2| e1.or(e2));
                    match self.0.2.process::<M>(x) {
                        Err(Failed::Soft(g)) => {
                            let all = <M::Error as Mode>::combine(err, g, |e1, e2| e1.or(e2));
                            Err(Failed::Soft(<M::Error as Mode>::map(all, |err| E::at(err.cost()))))
                        }
                        res => res,
                    }
                }
            },
        }
    }
}
impl<const N: usize, O, E: Fault, A: Parse<Out = O, Error = E>> Parse for Choice<[A; N]> {
    type Out = O;
    type Error = E;
    fn process<M: Modes>(&mut self, x: f64) -> Parsed<M, O, E> {
        let mut error = None;
        for branch in &mut self.0 {
            match branch.process::<M>(x) {
                Err(Failed::Soft(e)) => match error {
                    None => error = Some(e),
                    Some(err) => error = Some(M::Error::combine(err, e, |e1, e2| e1.or(e2))),
                },
                res => return res,
            }
        }
        match error {
            Some(e) => Err(Failed::Soft(M::Error::map(e, |err| E::at(err.cost() + 1.0)))),
            None => Err(Failed::Soft(M::Error::bind(|| E::at(x)))),
        }
    }
}
pub struct Pair<A, B>(A, B);
impl<E: Fault, A: Parse<Error = E>, B: Parse<Error = E>> Parse for Pair<A, B> {
    type Out = (A::Out, B::Out);
    type Error = E;
    fn process<M: Modes>(&mut self, x: f64) -> Parsed<M, (A::Out, B::Out), E> {
        let (x, a) = match self.0.process::<M>(x) {
            Ok(done) => done,
            Err(e) => return Err(e),
        };
        match self.1.process::<M>(x) {
            Ok((x, b)) => Ok((x, M::Value::combine(a, b, |a, b| (a, b)))),
            Err(e) => Err(e),
        }
    }
}
pub struct Map<P, F>(P, F);
impl<P: Parse, O, F: FnMut(P::Out) -> O> Parse for Map<P, F> {
    type Out = O;
    type Error = P::Error;
    fn process<M: Modes>(&mut self, x: f64) -> Parsed<M, O, P::Error> {
        let (x, o) = self.0.process::<M>(x)?;
        Ok((x, M::Value::map(o, |o| (self.1)(o))))
    }
}
impl<E, F> Failed<E, F> {
    fn soft(self) -> Option<F> {
        match self {
            Failed::Hard(_) => None,
            Failed::Soft(f) => Some(f),
        }
    }
}

fn above<E>(k: f64) -> Above<E> {
    Above(k, std::marker::PhantomData)
}
fn run<M: Modes, E: Fault>(x: f64) -> f64 {
    let mut some = Choice((
        Map(Pair(above::<E>(5.0), above(3.0)), |(a, b)| a + b * 10.0),
        Map(Choice([above(0.75), above(2.0)]), |a| a * 0.5),
        Map(above(0.0), |a: f64| a - 4.0),
    ));
    match some.process::<M>(x) {
        Ok((rest, value)) => rest + M::Value::show(value),
        Err(Failed::Hard(e)) => e.cost() * 1e3,
        Err(Failed::Soft(e)) => M::Error::show(M::Error::map(e, |e| e.cost())) - 1e4,
    }
}
fn all<E: Fault>(x: f64) -> [f64; 6] {
    [
        run::<Both<Emit, Emit>, E>(x),
        run::<Both<Emit, Check>, E>(x),
        run::<Both<Check, Emit>, E>(x),
        run::<Both<Check, Check>, E>(x),
        run::<Both<List, Check>, E>(x),
        run::<Both<Check, List>, E>(x),
    ]
}
pub fn f(x: f64) -> Vec<f64> {
    let near = all::<Far>(x).into_iter().chain(all::<(f64, f64)>(x));
    near.chain(all::<Far>(x + 4.5)).collect()
}
