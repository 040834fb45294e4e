#![allow(missing_docs)]
use overdub_context::interp::{Interpreter, Limits};
use overdub_context::ir::{NominalBody, Ty, TyKind};
use overdub_context::value::{Array, CellRef, Composite, Value};
use overdub_lower::Loaded;
use serde_json::{Value as J, json};

fn num(j: &J) -> f64 {
    match j {
        J::String(s) => match &**s {
            "NaN" => f64::NAN,
            "inf" => f64::INFINITY,
            "-inf" => f64::NEG_INFINITY,
            s => s.parse().unwrap(),
        },
        j => j.to_string().parse().unwrap(),
    }
}
fn comp(ty: Option<Ty>, tag: u32, parts: Vec<Value<'static>>) -> Value<'static> {
    Value::Composite(Composite { ty, tag, parts: parts.into() }.into())
}
fn parse(j: &J, ty: Ty) -> Value<'static> {
    match ty.kind() {
        TyKind::Unit => Value::Unit,
        TyKind::Float(_) if ty == Ty::f64() => Value::F64(num(j)),
        TyKind::Float(_) => Value::F32(num(j) as f32),
        TyKind::Int(int) => Value::int(
            *int,
            j.as_i64().map(i128::from).or(j.as_u64().map(i128::from)).unwrap_or_else(|| num(j) as i128),
        ),
        TyKind::Bool => Value::Bool(j.as_bool().unwrap()),
        TyKind::Char => Value::Char(j.as_str().unwrap().chars().next().unwrap()),
        TyKind::Str => Value::from(j.as_str().unwrap()),
        TyKind::Array(a) => Value::Array(
            Array::from_values(a.elem, j.as_array().unwrap().iter().map(|j| parse(j, a.elem)))
                .unwrap()
                .into(),
        ),
        TyKind::Tuple(ts) => {
            Value::tuple(j.as_array().unwrap().iter().zip(ts).map(|(j, t)| parse(j, *t)).collect::<Vec<_>>())
        }
        TyKind::Ref(t) => Value::Ref(Box::new(CellRef::new(parse(j, *t)))),
        TyKind::Struct(n) => {
            let fields = n.fields().unwrap();
            let parts = fields
                .iter()
                .enumerate()
                .map(|(i, f)| match j {
                    J::Object(o) => parse(&o[&*f.name], f.ty),
                    J::Array(a) => parse(&a[i], f.ty),
                    j => parse(j, f.ty),
                })
                .collect();
            comp(Some(ty), 0, parts)
        }
        TyKind::Enum(n) => {
            let Some(NominalBody::Enum(vs)) = n.body() else { panic!() };
            if &*n.name() == "Option" {
                return if j.is_null() {
                    comp(Some(ty), 0, vec![])
                } else {
                    comp(Some(ty), 1, vec![parse(j, vs[1].fields[0].ty)])
                };
            }
            let (name, payload) = match j {
                J::String(s) => (s.clone(), J::Null),
                J::Object(o) => {
                    let (k, v) = o.iter().next().unwrap();
                    (k.clone(), v.clone())
                }
                _ => panic!(),
            };
            let tag = vs.iter().position(|v| *v.name == *name).unwrap();
            let fs = &vs[tag].fields;
            let parts = if let J::Object(o) = &payload
                && fs.first().is_some_and(|f| o.contains_key(&*f.name))
            {
                fs.iter().map(|f| parse(&o[&*f.name], f.ty)).collect()
            } else if fs.len() == 1 {
                vec![parse(&payload, fs[0].ty)]
            } else {
                fs.iter().enumerate().map(|(i, f)| parse(&payload[i], f.ty)).collect()
            };
            comp(Some(ty), tag as u32, parts)
        }
        _ => panic!("argument of type {ty}"),
    }
}
fn f(x: f64) -> J {
    if x.is_nan() {
        json!("NaN")
    } else if x.is_infinite() {
        json!(if x > 0.0 { "inf" } else { "-inf" })
    } else {
        json!(x)
    }
}
fn show(v: &Value<'static>, ty: Ty) -> J {
    match (v, ty.kind()) {
        (Value::Unit, _) => J::Null,
        (Value::F64(x), _) => f(*x),
        (Value::F32(x), _) => {
            let s = format!("{x:e}");
            f(s.parse().unwrap())
        }
        (Value::Bool(b), _) => json!(b),
        (Value::Char(c), _) => json!(c.to_string()),
        (Value::Str(s), _) => json!(s.to_string()),
        (Value::Array(a), TyKind::Array(t)) => J::Array(a.iter().map(|v| show(&v, t.elem)).collect()),
        (Value::Composite(c), TyKind::Tuple(ts)) => {
            J::Array(c.parts.iter().zip(ts).map(|(v, t)| show(v, *t)).collect())
        }
        (Value::Composite(c), TyKind::Struct(n)) => {
            let fs = n.fields().unwrap();
            if fs.first().is_some_and(|f| &*f.name == "0") {
                if fs.len() == 1 {
                    return show(&c.parts[0], fs[0].ty);
                }
                return J::Array(c.parts.iter().zip(fs).map(|(v, f)| show(v, f.ty)).collect());
            }
            J::Object(c.parts.iter().zip(fs).map(|(v, f)| (f.name.to_string(), show(v, f.ty))).collect())
        }
        (Value::Composite(c), TyKind::Enum(n)) => {
            let var = &n.variants().unwrap()[c.tag as usize];
            if &*n.name() == "Option" {
                return if c.tag == 0 { J::Null } else { show(&c.parts[0], var.fields[0].ty) };
            }
            if var.fields.is_empty() {
                return json!(var.name.to_string());
            }
            let p = if &*var.fields[0].name != "0" {
                J::Object(
                    c.parts
                        .iter()
                        .zip(&var.fields)
                        .map(|(v, f)| (f.name.to_string(), show(v, f.ty)))
                        .collect(),
                )
            } else if c.parts.len() == 1 {
                show(&c.parts[0], var.fields[0].ty)
            } else {
                J::Array(c.parts.iter().zip(&var.fields).map(|(v, f)| show(v, f.ty)).collect())
            };
            let mut o = serde_json::Map::new();
            o.insert(var.name.to_string(), p);
            J::Object(o)
        }
        (Value::Ref(r), TyKind::Ref(t)) => r.with(|v| show(v, *t)),
        (v, _) => match v.as_int() {
            Some((overdub_context::ir::IntTy::U128, n)) => json!(n as u128 as u64),
            Some((_, n)) => {
                if n < 0 {
                    json!(n as i64)
                } else {
                    json!(n as u64)
                }
            }
            None => json!(format!("{v:?}")),
        },
    }
}
fn main() {
    let child = std::thread::Builder::new().stack_size(256 << 20).spawn(real).unwrap();
    std::process::exit(child.join().unwrap_or(101));
}
fn real() -> i32 {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let loaded = match Loaded::open(args[1].as_ref()) {
        Ok(l) => l,
        Err(e) => {
            eprintln!("error: load: {e} at {}", e.span);
            return 1;
        }
    };
    if args[0] == "list" {
        for f in loaded.program().functions() {
            println!("{}", loaded.program().path(f));
        }
        return 0;
    }
    let func = match loaded.function(&args[2]) {
        Ok(f) => f,
        Err(e) => {
            eprintln!("error: sig: {e} {e:?}");
            return 2;
        }
    };
    if args[0] == "ir" {
        match loaded.closure_of(func.instance) {
            Ok(funcs) => {
                for f in funcs {
                    println!("{f}");
                }
            }
            Err(e) => println!("error: {e} at {}", e.span),
        }
        return 0;
    }
    let j: J = serde_json::from_str(&args[3]).unwrap();
    let values = j.as_array().unwrap().iter().zip(&func.params).map(|(a, p)| parse(a, p.ir_ty)).collect();
    match Interpreter::new(loaded.module())
        .with_limits(Limits { depth: 20000, ..Limits::default() })
        .run(func.symbol, values)
    {
        Ok(v) => {
            let (r, outs) = func.split(v.into_owned());
            if let Value::Composite(c) = &r
                && let TyKind::Enum(n) = func.ir_ret.kind()
                && n.name().ends_with("Result")
                && c.tag == 1
            {
                eprintln!("error: {}", show(&c.parts[0], n.variants().unwrap()[1].fields[0].ty));
                return 1;
            }
            let mut o = json!({"value": show(&r, func.ir_ret)});
            if let TyKind::Enum(n) = func.ir_ret.kind()
                && n.name().ends_with("Result")
                && let Some(x) = o["value"].get("Ok")
            {
                o = json!({"value": x});
            }
            if !outs.is_empty() {
                o["mutated"] = J::Array(
                    func.params
                        .iter()
                        .filter(|p| p.by == overdub_lower::lower::PassedBy::InOut)
                        .zip(&outs)
                        .map(|(p, v)| show(v, p.ir_ty))
                        .collect(),
                );
            }
            println!("{o}");
            0
        }
        Err(e) => {
            eprintln!("error: {} at {}", e.report().message, loaded.user_span(e.report()));
            for s in e.report().stack.iter().take(6) {
                eprintln!("   in {} at {}", s.func, s.span)
            }
            1
        }
    }
}
