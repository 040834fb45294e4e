//! What is dropped, when, and in which order.

mod noisy;
use noisy::*;

pub fn reverse_order(x: f64) -> f64 {
    logged(|log| {
        let _a = Noisy::new(log, 1.0);
        let _b = Noisy::new(log, 2.0);
        let _c = Noisy::new(log, 3.0);
        note(log, 9.0);
        x
    })
}

pub fn moved_is_not_dropped(x: f64) -> f64 {
    logged(|log| {
        let a = Noisy::new(log, 1.0);
        let b = Noisy::new(log, 2.0);
        let c = b;
        note(log, 9.0);
        drop(a);
        note(log, 8.0);
        c.id() + x
    })
}

pub fn conditionally_moved(x: f64) -> f64 {
    logged(|log| {
        let a = Noisy::new(log, 1.0);
        let b = Noisy::new(log, 2.0);
        if x > 0.5 {
            drop(a);
            note(log, 9.0);
        }
        if x > 2.0 {
            return b.consume();
        }
        note(log, 8.0);
        x
    })
}

pub fn overwritten(x: f64) -> f64 {
    logged(|log| {
        let mut a = Noisy::new(log, 1.0);
        note(log, 9.0);
        a = Noisy::new(log, 2.0);
        note(log, 8.0);
        let mut b;
        if x > 0.0 {
            b = Noisy::new(log, 3.0);
        } else {
            b = Noisy::new(log, 4.0);
        }
        b = Noisy::new(log, 5.0);
        b.id() + a.id()
    })
}

pub fn assigned_in_loop(x: f64) -> f64 {
    logged(|log| {
        let mut last = Noisy::new(log, 0.5);
        for i in 0..4 {
            last = Noisy::new(log, i as f64);
            if i as f64 > x {
                break;
            }
        }
        note(log, 6.0);
        last.id()
    })
}

pub fn temporaries_of_statements(x: f64) -> f64 {
    logged(|log| {
        let y = Noisy::new(log, 1.0).id() + Noisy::new(log, 2.0).id();
        note(log, 9.0);
        Noisy::new(log, 3.0);
        note(log, 8.0);
        let _ = Noisy::new(log, 4.0);
        note(log, 7.0);
        let _kept = Noisy::new(log, 5.0);
        y + x
    })
}

pub fn extended_temporaries(x: f64) -> f64 {
    logged(|log| {
        let r = &Noisy::new(log, 1.0);
        let s = (&Noisy::new(log, 2.0), x);
        let f = &Noisy::new(log, 3.0).id;
        note(log, 9.0);
        r.id() + s.0.id() + s.1 + *f
    })
}

pub fn extended_in_branches(x: f64) -> f64 {
    logged(|log| {
        let r = if x > 0.0 { &Noisy::new(log, 1.0) } else { &Noisy::new(log, 2.0) };
        let (a, b, c) = (
            &Noisy::new(log, 3.0),
            match x as i64 {
                0 => &Noisy::new(log, 4.0),
                1 if r.id() > 5.0 => return 0.5,
                _ => {
                    let _inner = Noisy::new(log, 5.0);
                    &Noisy::new(log, 6.0)
                }
            },
            Some(&Noisy::new(log, 7.0)),
        );
        let changed = if x > 0.5 { &mut Noisy::new(log, 8.0) } else { &mut Noisy::new(log, 9.0) };
        changed.id += 0.25;
        note(log, 0.0);
        r.id() + a.id() + b.id() + c.map_or(0.0, |c| c.id()) + changed.id()
    })
}

pub fn extended_in_branches_of_loops(x: f64) -> f64 {
    logged(|log| {
        let mut sum = 0.0;
        for k in 0..3 {
            let r = if k as f64 > x { &Noisy::new(log, 1.0) } else { &{ Noisy::new(log, 2.0) } };
            if k == 1 {
                continue;
            }
            sum += r.id();
            let s = &match k {
                0 => Noisy::new(log, 3.0),
                _ => Noisy::new(log, 4.0),
            };
            sum += s.id();
        }
        sum
    })
}

pub fn temporaries_in_conditions(x: f64) -> f64 {
    logged(|log| {
        if Noisy::new(log, 1.0).id() > x {
            note(log, 9.0);
        } else {
            note(log, 8.0);
        }
        if Noisy::new(log, 2.0).id() > 0.0 && Noisy::new(log, 3.0).id() > x {
            note(log, 7.0);
        }
        let mut n = 0.0;
        while Noisy::new(log, 4.0).id() + n < 6.0 {
            n += 1.0;
            note(log, 6.0);
        }
        n
    })
}

pub fn temporaries_of_matches(x: f64) -> f64 {
    logged(|log| {
        match Noisy::new(log, 1.0).id() {
            v if v > x => note(log, 9.0),
            _ => note(log, 8.0),
        }
        if let Some(v) = Some(Noisy::new(log, 2.0)).as_ref() {
            note(log, v.id());
        }
        note(log, 7.0);
        match Some(Noisy::new(log, 3.0)) {
            Some(v) if v.id() > x => {
                note(log, 5.0);
            }
            Some(_) => note(log, 6.0),
            None => {}
        }
        note(log, 4.0);
        x
    })
}

struct Pair<'a> {
    first: Noisy<'a>,
    n: f64,
    second: Noisy<'a>,
}

fn pair<'a>(log: &'a Log, a: f64, b: f64) -> Pair<'a> {
    Pair { second: Noisy::new(log, b), n: a + b, first: Noisy::new(log, a) }
}

pub fn fields_in_order(x: f64) -> f64 {
    logged(|log| {
        let p = pair(log, 1.0, 2.0);
        let t = (Noisy::new(log, 3.0), x, Noisy::new(log, 4.0));
        let a = [Noisy::new(log, 5.0), Noisy::new(log, 6.0)];
        p.n + t.1 + a[0].id()
    })
}

pub fn partial_moves(x: f64) -> f64 {
    logged(|log| {
        let p = pair(log, 1.0, 2.0);
        let first = p.first;
        note(log, 9.0);
        let q = pair(log, 3.0, 4.0);
        if x > 0.0 {
            drop(q.second);
            note(log, 8.0);
        }
        let (a, _) = (Noisy::new(log, 5.0), Noisy::new(log, 6.0));
        let Pair { second, .. } = pair(log, 0.5, 0.25);
        note(log, 7.0);
        first.id() + p.n + a.id() + second.id()
    })
}

pub fn refilled_field(x: f64) -> f64 {
    logged(|log| {
        let mut p = pair(log, 1.0, 2.0);
        drop(p.first);
        note(log, 9.0);
        p.first = Noisy::new(log, 3.0);
        p.second = Noisy::new(log, 4.0);
        note(log, 8.0);
        let q = Pair { n: x, ..p };
        q.n
    })
}

pub fn enums_and_options(x: f64) -> f64 {
    logged(|log| {
        let mut o = Some(Noisy::new(log, 1.0));
        if let Some(n) = o.take() {
            note(log, n.id() + 1.0);
        }
        note(log, 9.0);
        o = Some(Noisy::new(log, 2.0));
        o = None;
        note(log, 8.0);
        let r: Result<Noisy, Noisy> = if x > 0.0 { Ok(Noisy::new(log, 3.0)) } else { Err(Noisy::new(log, 4.0)) };
        let got = match r {
            Ok(n) => n.id(),
            Err(e) => {
                note(log, 7.0);
                e.consume()
            }
        };
        let boxed = Box::new(Noisy::new(log, 5.0));
        let inner = *boxed;
        note(log, 6.0);
        let old = o.replace(Noisy::new(log, 0.5));
        got + inner.id() + if old.is_none() { 1.0 } else { 0.0 }
    })
}

fn fallible<'a>(log: &'a Log, x: f64, id: f64) -> Option<Noisy<'a>> {
    let n = Noisy::new(log, id);
    if x > id { Some(n) } else { None }
}

fn chain(log: &Log, x: f64) -> Option<f64> {
    let a = fallible(log, x, 0.1)?;
    let b = fallible(log, x, 2.0)?;
    let _c = Noisy::new(log, 5.0);
    let d = fallible(log, x, 50.0)?;
    Some(a.id() + b.id() + d.id())
}

pub fn question_marks(x: f64) -> f64 {
    logged(|log| chain(log, x).unwrap_or(-1.0))
}

pub fn arguments_when_one_leaves(x: f64) -> f64 {
    fn three(a: Noisy, b: Noisy, n: f64) -> f64 {
        a.id() + b.id() + n
    }
    fn run(log: &Log, x: f64) -> Option<f64> {
        Some(three(Noisy::new(log, 1.0), fallible(log, x, 0.2)?, 3.0))
    }
    logged(|log| run(log, x).unwrap_or(-2.0))
}

pub fn breaks_and_continues(x: f64) -> f64 {
    logged(|log| {
        let mut sum = 0.0;
        'outer: for i in 0..4 {
            let _a = Noisy::new(log, i as f64);
            for j in 0..3 {
                let b = Noisy::new(log, 10.0 + j as f64);
                if i == 1 {
                    continue 'outer;
                }
                if (i * j) as f64 > x {
                    break 'outer;
                }
                sum += b.id();
            }
            note(log, 9.0);
        }
        let v = loop {
            let b = Noisy::new(log, 20.0);
            break b.id();
        };
        let w = 'block: {
            let _c = Noisy::new(log, 21.0);
            if x > 0.0 {
                break 'block 1.0;
            }
            2.0
        };
        sum + v + w
    })
}

fn takes(n: Noisy, _: Noisy, (a, _): (Noisy, Noisy)) -> f64 {
    n.id() + a.id()
}

pub fn parameters(x: f64) -> f64 {
    logged(|log| {
        let r = takes(
            Noisy::new(log, 1.0),
            Noisy::new(log, 2.0),
            (Noisy::new(log, 3.0), Noisy::new(log, 4.0)),
        );
        r + x
    })
}

pub fn nested_blocks(x: f64) -> f64 {
    logged(|log| {
        let a = Noisy::new(log, 1.0);
        let v = {
            let b = Noisy::new(log, 2.0);
            let c = a;
            b.id() + c.id()
        };
        note(log, 9.0);
        let d = { Noisy::new(log, 3.0) };
        let e = if x > 0.0 { d } else { Noisy::new(log, 4.0) };
        v + e.id()
    })
}

pub fn shadowed_lives_on(x: f64) -> f64 {
    logged(|log| {
        let a = Noisy::new(log, 1.0);
        let a = Noisy::new(log, a.id() + 1.0);
        note(log, 9.0);
        a.id() + x
    })
}

fn pick<'a>(log: &'a Log, x: f64) -> Result<Noisy<'a>, f64> {
    let first = Noisy::new(log, 1.0);
    let second = Noisy::new(log, 2.0);
    if x < 0.0 {
        return Err(x);
    }
    let chosen = match x {
        v if v > 5.0 => first,
        _ => second,
    };
    Ok(chosen)
}

pub fn moved_on_one_way(x: f64) -> f64 {
    logged(|log| match pick(log, x) {
        Ok(n) => n.id(),
        Err(e) => e,
    })
}

pub fn let_else_and_loops(x: f64) -> f64 {
    logged(|log| {
        let mut n = 0.0;
        loop {
            let Some(a) = fallible(log, x + n, 3.0) else {
                n += 1.0;
                if n > 5.0 {
                    break;
                }
                continue;
            };
            note(log, a.id() + 0.5);
            break;
        }
        let mut stack = vec![Noisy::new(log, 1.0), Noisy::new(log, 2.0)];
        while let Some(top) = stack.pop() {
            if top.id() == 2.0 {
                stack.push(Noisy::new(log, 5.0));
            }
            if top.id() == 5.0 {
                continue;
            }
            note(log, top.id() + 0.25);
        }
        n
    })
}

pub fn chained_conditions(x: f64) -> f64 {
    logged(|log| {
        let o = Some(Noisy::new(log, 1.0));
        if let Some(n) = o
            && n.id() > x
            && let Some(m) = fallible(log, 5.0, 2.0)
            && m.id() > x + 1.0
        {
            note(log, n.id() + m.id());
        } else {
            note(log, 9.0);
        }
        note(log, 8.0);
        x
    })
}

pub fn given_a_value_on_one_path(x: f64) -> f64 {
    logged(|log| {
        let a;
        let _b = Noisy::new(log, 1.0);
        if x > 0.5 {
            a = Noisy::new(log, 2.0 + x);
            note(log, a.id());
        }
        note(log, 9.0);
        x
    })
}

pub fn given_a_value_by_one_arm(x: f64) -> f64 {
    logged(|log| {
        let kept: Vec<Noisy>;
        let list: &[Noisy] = match x {
            x if x > 2.0 => &[],
            x if x > 0.0 => {
                kept = vec![Noisy::new(log, 1.0), Noisy::new(log, x)];
                &kept
            }
            _ => return x,
        };
        note(log, 9.0);
        list.iter().map(Noisy::id).sum::<f64>() + x
    })
}

pub fn overwritten_after_one_path(x: f64) -> f64 {
    logged(|log| {
        let mut a;
        if x > 0.5 {
            a = Noisy::new(log, 1.0);
            let r = &mut a;
            r.id += x;
        }
        note(log, 9.0);
        a = Noisy::new(log, 2.0);
        note(log, 8.0);
        a.id()
    })
}

pub fn moved_out_after_one_path(x: f64) -> f64 {
    logged(|log| {
        let pair: (Noisy, Noisy);
        let mut sum = x;
        if x > -0.5 {
            pair = (Noisy::new(log, 1.0), Noisy::new(log, 2.0));
            if x > 0.5 {
                sum += pair.0.consume();
            }
            if x > 2.0 {
                sum += pair.1.id();
                drop(pair.1);
            }
        }
        note(log, 9.0);
        sum
    })
}

pub fn given_a_value_in_a_loop(x: f64) -> f64 {
    logged(|log| {
        let mut last;
        let mut i = 0.0;
        while i < x {
            last = Noisy::new(log, i);
            note(log, last.id());
            i += 1.0;
        }
        for k in 0..3 {
            let inner;
            if k as f64 > x {
                inner = Noisy::new(log, 5.0);
                note(log, inner.id());
                continue;
            }
            note(log, 6.0);
        }
        x
    })
}

pub fn borrowed_by_a_closure_on_one_path(x: f64) -> f64 {
    logged(|log| {
        let mut held;
        let mut sum = x;
        if x > 0.5 {
            held = Noisy::new(log, 1.0);
            let mut grow = |by: f64| held.id += by;
            grow(x);
            grow(2.0);
            sum += held.id();
        }
        sum
    })
}

pub fn boxed_on_one_path(x: f64) -> f64 {
    logged(|log| {
        let mut boxed: Box<Noisy>;
        if x > 0.5 {
            boxed = Box::new(Noisy::new(log, 3.0));
            *boxed = Noisy::new(log, 4.0);
            boxed.id += 1.0;
        }
        x
    })
}
