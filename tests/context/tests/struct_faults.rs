//! Structs of other crates whose source is not known, or has other fields, are told apart.

use overdub_context::ir::Ty;
use overdub_context::value::{StructFault, provide_struct_tys, struct_fault, struct_ty};

struct Pair;
struct Narrow;
struct Other;

#[test]
fn a_struct_whose_source_has_other_fields_is_told_from_an_unknown_one() {
    provide_struct_tys(|name| {
        ["::Pair", "::Narrow"]
            .iter()
            .any(|end| name.ends_with(end))
            .then(|| Ty::tuple([Ty::f64(), Ty::f64()]))
    });
    let two = [Ty::f64(), Ty::f64()];
    assert_eq!(struct_ty::<Pair>(&two), Ty::tuple(two));
    assert_eq!(struct_fault(struct_ty::<Pair>(&two)), None);

    let narrow = struct_ty::<Narrow>(&[Ty::f32(), Ty::f32()]);
    let fault = StructFault::Fields { read: two.to_vec(), compiled: vec![Ty::f32(), Ty::f32()] };
    assert_eq!(struct_fault(Ty::array(narrow, 1)), Some((std::any::type_name::<Narrow>(), fault)));

    let (name, fault) = struct_fault(Ty::option(struct_ty::<Other>(&two))).expect("it has no source");
    assert_eq!((name, fault), (std::any::type_name::<Other>(), StructFault::Unknown));
}
