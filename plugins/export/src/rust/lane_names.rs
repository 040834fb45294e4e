//! Names and first values in functions in lanes.

use overdub_context::ir::{Ty, TyKind};

use super::Names;
use crate::ast::Local;
use crate::lanes::{LaneFunction, LaneParam};

/// The places of the scalars of a result.
pub(super) fn pattern(ty: Ty, results: &mut dyn Iterator<Item = String>) -> String {
    match ty.kind() {
        TyKind::Tuple(parts) => {
            let parts: Vec<String> = parts.iter().map(|part| pattern(*part, results)).collect();
            match &parts[..] {
                [one] => format!("({one},)"),
                parts => format!("({})", parts.join(", ")),
            }
        }
        TyKind::Unit => "()".to_owned(),
        _ => results.next().unwrap_or_default(),
    }
}

/// The names of the locals: those with a value for each lane are written as the place of a lane.
pub(super) fn lane_names(function: &LaneFunction, names: &mut Names) -> Vec<String> {
    let mut found = vec![String::new(); function.locals.len()];
    let mut slices: Vec<Local> = Vec::new();
    for param in &function.params {
        slices.push(match param {
            LaneParam::Each(each) => each.slice,
            LaneParam::Fixed(local) => *local,
        });
    }
    slices.extend(function.results.iter().map(|result| result.slice));
    let all = (0..function.locals.len() as u32).map(Local);
    let others: Vec<Local> = all.filter(|local| !slices.contains(local)).collect();
    let mut temporaries = 0;
    for local in slices.into_iter().chain(others) {
        let name = match &function.locals[local.0 as usize].name {
            Some(name) => names.unique(name),
            None => {
                temporaries += 1;
                names.unique(&format!("t{temporaries}"))
            }
        };
        let place = if function.arrays.contains(&local) { format!("{name}[lane]") } else { name };
        found[local.0 as usize] = place;
    }
    found
}

/// The name of an array of which a lane has a place.
pub(super) fn whole(place: &str) -> &str {
    place.strip_suffix("[lane]").unwrap_or(place)
}

/// The value that the places for lanes begin with.
pub(super) fn zero(ty: Ty) -> String {
    match ty.kind() {
        TyKind::Bool => "false".to_owned(),
        TyKind::Char => "'\\0'".to_owned(),
        TyKind::Float(_) if ty == Ty::f64() => "0.0".to_owned(),
        TyKind::Float(_) => format!("0.0_{ty}"),
        _ => format!("0_{ty}"),
    }
}
