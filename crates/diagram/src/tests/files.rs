//! The files that are written: SVG with fixed lengths, PNG and PDF.

use std::io::Read;

use flate2::read::ZlibDecoder;

use super::super::{Level, Picture, chebotko};
use super::reference_designs;

fn picture() -> Picture {
    let (concept, workload, design) = reference_designs::design(&reference_designs::KILLRVIDEO);
    chebotko(&concept, &workload, &design, Level::Physical)
}

/// What is between two texts, after the first of them.
fn extract<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let (_, rest) = text.split_once(start).expect(start);
    rest.split_once(end).expect(end).0
}

fn unpack(packed: &[u8]) -> Vec<u8> {
    let mut data = Vec::new();
    ZlibDecoder::new(packed).read_to_end(&mut data).expect("the stream is well-formed");
    data
}

/// The widths of Helvetica in Adobe's metrics: m 833, a and e 556, i 222, l 222 of a thousand.
#[test]
fn texts_of_an_svg_state_their_lengths() {
    let svg = picture().svg();
    let wanted = 12.0 * f64::from(556 + 833 + 556 + 222 + 222) / 1000.0;
    let tag = format!(
        r#"font-size="12" textLength="{wanted:.1}" lengthAdjust="spacingAndGlyphs">email<"#
    );
    assert!(svg.contains(&tag), "{tag}");
    for line in svg.lines().filter(|line| line.starts_with("<text")) {
        let text = line.trim_end_matches("</text>").rsplit('>').next().unwrap_or_default();
        assert!(text.chars().count() < 2 || line.contains("textLength="), "{line}");
    }
}

#[test]
fn an_svg_of_outlines_has_no_text() {
    let svg = picture().svg_outlines();
    assert!(!svg.contains("<text") && svg.contains("<use "));
    for used in svg.split("<use href=\"#").skip(1) {
        let glyph = used.split('"').next().unwrap_or_default();
        assert!(svg.contains(&format!("<path id=\"{glyph}\" d=\"M")), "{glyph}");
    }
    assert!(svg.contains("aria-label=\"latest_videos\""));
}

/// The chunks of a PNG file, their checksums verified.
fn chunks(file: &[u8]) -> Vec<(&[u8], &[u8])> {
    let mut rest = file.strip_prefix(b"\x89PNG\r\n\x1a\n").expect("it is a PNG");
    let mut chunks = Vec::new();
    let number = |bytes: &[u8]| u32::from_be_bytes(bytes.try_into().unwrap());
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let length = usize::try_from(number(length)).unwrap();
        let (body, after) = after.split_at(4 + length);
        let (sum, after) = after.split_at(4);
        assert_eq!(crc32fast::hash(body), number(sum));
        chunks.push(body.split_at(4));
        rest = after;
    }
    chunks
}

#[test]
fn a_png_holds_the_picture() {
    let picture = picture();
    let svg = picture.svg();
    let file = picture.png();
    let chunks = chunks(&file);
    let names: Vec<_> = chunks.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, [b"IHDR", b"pHYs", b"IDAT", b"IEND"]);
    let side = |at: usize| u32::from_be_bytes(chunks[0].1[at..at + 4].try_into().unwrap());
    let (width, height) = (side(0), side(4));
    // Twice the size of the SVG.
    let half = |measure: u32| (measure / 2).to_string();
    assert_eq!(half(width), extract(&svg, "width=\"", "\""));
    assert_eq!(half(height), extract(&svg, "height=\"", "\""));
    let data = unpack(chunks[2].1);
    let row = 1 + usize::try_from(width).unwrap() * 3;
    assert_eq!(data.len(), row * usize::try_from(height).unwrap());
    // No row is filtered, the corner is paper, and the bars of tables, their titles and rows are there.
    let pixels = || data.chunks(row).flat_map(|row| row[1..].chunks(3));
    assert!(data.chunks(row).all(|row| row[0] == 0));
    assert_eq!(&data[1..4], [255, 255, 255]);
    for colour in [[0x33, 0x41, 0x55], [0xfd, 0xf3, 0xd8], [0xea, 0xf2, 0xfe]] {
        assert!(pixels().filter(|pixel| *pixel == colour).count() > 1_000, "{colour:?}");
    }
}

#[test]
fn a_pdf_has_one_page_with_its_text() {
    let picture = picture();
    let file = picture.pdf();
    assert!(file.starts_with(b"%PDF-1.5\n") && file.ends_with(b"%%EOF\n"));
    let text: String = file.iter().map(|byte| char::from(*byte)).collect();
    let table: usize = extract(&text, "startxref\n", "\n").parse().unwrap();
    assert!(text[..].starts_with('%') && find(&file, b"xref\n0 ", table - 1) == Some(table));
    // Every entry of the table leads to its object.
    let entries = extract(&text, "65535 f \n", "trailer");
    for (at, entry) in entries.lines().enumerate() {
        let start: usize = entry[..10].parse().unwrap();
        assert!(file[start..].starts_with(format!("{} 0 obj\n", at + 1).as_bytes()), "{entry}");
    }
    assert_eq!(entries.lines().count(), 15);
    let streams = streams(&file);
    let page = String::from_utf8(streams[0].clone()).expect("the page is text");
    // The title, glyph by glyph, by the character map of its font.
    let map = String::from_utf8(streams.last().unwrap().clone()).unwrap();
    let glyphs: String = "latest_videos".chars().map(|c| glyph(&map, c)).collect();
    assert!(page.contains(&format!("<{glyphs}> Tj")), "{glyphs}");
    assert_eq!(page.matches("BT").count(), page.matches("ET").count());
}

fn find(file: &[u8], wanted: &[u8], from: usize) -> Option<usize> {
    let rest = file.get(from..)?;
    rest.windows(wanted.len()).position(|window| window == wanted).map(|at| from + at)
}

/// The unpacked streams of a file.
fn streams(file: &[u8]) -> Vec<Vec<u8>> {
    let mut streams = Vec::new();
    let mut from = 0;
    while let Some(at) = find(file, b">>\nstream\n", from) {
        let start = at + 10;
        let end = find(file, b"\nendstream", start).expect("the stream ends");
        streams.push(unpack(&file[start..end]));
        from = end;
    }
    streams
}

/// The glyph of a character in a character map, in hexadecimal.
fn glyph(map: &str, c: char) -> String {
    let wanted = format!("> <{:04X}>", u32::from(c));
    let line = map.lines().find(|line| line.ends_with(&wanted)).expect("the character is used");
    line[1..5].to_owned()
}
