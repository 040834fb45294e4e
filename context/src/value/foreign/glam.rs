//! Vectors, matrices, quaternions and affine maps of glam whose fields are floats on every target; the others
//! of 32 bits are registers of vector units.

use ::glam::{DAffine2, DAffine3, DMat2, DMat3, DMat4, DQuat, DVec2, DVec3, DVec4, Mat3, Vec2, Vec3};

use super::{struct_ty, structs};
use crate::types::Ty;
use crate::value::{Floats, FromValue, HasTy, IntoValue, Lend, Mismatch, Value, variant, variant_of};

structs! {
    [] DVec2 { x: f64, y: f64 }
    [] DVec3 { x: f64, y: f64, z: f64 }
    [] DVec4 { x: f64, y: f64, z: f64, w: f64 }
    [] DQuat { x: f64, y: f64, z: f64, w: f64 }
    [] DMat2 { x_axis: DVec2, y_axis: DVec2 }
    [] DMat3 { x_axis: DVec3, y_axis: DVec3, z_axis: DVec3 }
    [] DMat4 { x_axis: DVec4, y_axis: DVec4, z_axis: DVec4, w_axis: DVec4 }
    [] DAffine2 { matrix2: DMat2, translation: DVec2 }
    [] DAffine3 { matrix3: DMat3, translation: DVec3 }
    [] Vec2 { x: f32, y: f32 }
    [] Vec3 { x: f32, y: f32, z: f32 }
    [] Mat3 { x_axis: Vec3, y_axis: Vec3, z_axis: Vec3 }
}
