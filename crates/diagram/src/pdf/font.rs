//! The embedded fonts of a file, and what their glyphs mean.

use std::fmt::Write;

use ttf_parser::GlyphId;

use super::super::typeface;
use super::Objects;
use super::content::UsedGlyphs;

/// The objects of a font.
pub(super) const OBJECTS: usize = 5;
/// The most entries of one block of a character map.
const BLOCK: usize = 100;

/// Adds the objects of a font.
pub(super) fn add(file: &mut Objects, bold: bool, used: &UsedGlyphs) {
    let first = file.next();
    let name = if bold { "HELNUS+Arimo-Bold" } else { "HELNUS+Arimo" };
    let [inner, descriptor, data, map] = [1, 2, 3, 4].map(|at| first + at);
    file.add(&format!(
        "<< /Type /Font /Subtype /Type0 /BaseFont /{name} /Encoding /Identity-H /DescendantFonts [{inner} 0 R] /ToUnicode {map} 0 R >>"
    ));
    file.add(&format!(
        "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /{name} /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor {descriptor} 0 R /CIDToGIDMap /Identity /DW 1000 /W [{}] >>",
        widths(bold, used)
    ));
    file.add(&descriptor_entries(bold, name, data));
    let font = typeface::FILES[usize::from(bold)];
    file.add_stream(&format!("/Length1 {} ", font.len()), font);
    file.add_stream("", character_map(used).as_bytes());
}

/// A measure of the font in thousandths of its size.
fn thousandths(bold: bool, units: i32) -> String {
    let em = f64::from(typeface::face(bold).units_per_em());
    super::number(f64::from(units) * 1000.0 / em)
}

fn widths(bold: bool, used: &UsedGlyphs) -> String {
    let width = |glyph: &u16| {
        let units = typeface::face(bold).glyph_hor_advance(GlyphId(*glyph)).unwrap_or_default();
        format!("{glyph} [{}]", thousandths(bold, i32::from(units)))
    };
    used.keys().map(width).collect::<Vec<_>>().join(" ")
}

fn descriptor_entries(bold: bool, name: &str, data: usize) -> String {
    let face = typeface::face(bold);
    let limits = face.global_bounding_box();
    let limits = [limits.x_min, limits.y_min, limits.x_max, limits.y_max]
        .map(|limit| thousandths(bold, i32::from(limit)));
    let ascent = thousandths(bold, i32::from(face.ascender()));
    let descent = thousandths(bold, i32::from(face.descender()));
    let capitals = thousandths(bold, i32::from(face.capital_height().unwrap_or(face.ascender())));
    let stem = if bold { 140 } else { 80 };
    // 32: a font of letters.
    format!(
        "<< /Type /FontDescriptor /FontName /{name} /Flags 32 /FontBBox [{}] /ItalicAngle 0 /Ascent {ascent} /Descent {descent} /CapHeight {capitals} /StemV {stem} /FontFile2 {data} 0 R >>",
        limits.join(" ")
    )
}

/// What each glyph stands for, for searching and copying.
fn character_map(used: &UsedGlyphs) -> String {
    let mut map = "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n\
        /CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n\
        /CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n\
        1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n"
        .to_owned();
    let known: Vec<_> = used.iter().filter(|(glyph, _)| **glyph != typeface::MISSING.0).collect();
    for block in known.chunks(BLOCK) {
        // Writing to a string cannot fail.
        let _ = writeln!(map, "{} beginbfchar", block.len());
        for (glyph, c) in block {
            let _ = writeln!(map, "<{glyph:04X}> <{}>", super::utf16(c.encode_utf8(&mut [0; 4])));
        }
        map.push_str("endbfchar\n");
    }
    map + "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n"
}
