import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findAccepted, findUnmet } from '../../../src/model/field/file-type.ts';
import { readContent } from '../../../src/project/file-content.ts';

const test = suite('model/field/file-type');

const XML = '<?xml version="1.0"?>\n';
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const ZIP = Buffer.from(`PK\x05\x06${'\0'.repeat(18)}`, 'latin1');
const COMPOUND = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(1016)]);
const UNKNOWN = Buffer.from([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);

/** `accept`, the sent name, the bytes, and the extension under which the file is stored. */
const CASES: readonly (readonly [string, string, string | Buffer, string | undefined])[] = [
  // Formats of XML, with and without its declaration.
  ['.gpx', 'tour.gpx', `${XML}<gpx version="1.1"/>`, 'gpx'],
  ['.gpx,.kml', 'TOUR.KML', '<kml xmlns="http://www.opengis.net/kml/2.2"/>', 'kml'],
  ['application/gpx+xml', 'tour.gpx', `${XML}<gpx/>`, 'gpx'],
  ['.tcx', 'run.tcx', `${XML}<TrainingCenterDatabase/>`, 'tcx'],
  ['.musicxml', 'a.musicxml', `${XML}<score-partwise/>`, 'musicxml'],
  ['.gpx', 'tour.xml', `${XML}<gpx/>`, undefined],
  ['.xml', 'tour.gpx', `${XML}<gpx/>`, 'xml'],
  // The bytes win for what may run.
  ['.gpx', 'tour.gpx', `${XML}<svg onload="x()"/>`, undefined],
  ['.gpx', 'tour.gpx', '<html><script>x()</script>', undefined],
  ['.gpx', 'tour.gpx', '<?php x();', undefined],
  ['.geojson', 'a.geojson', '#!/bin/sh\nx', undefined],
  ['.stl', 'a.stl', '<!-- --><script>x()</script>', undefined],
  ['.stl', 'a.stl', Buffer.from('\uFEFF<html>', 'utf16le'), undefined],
  ['.svg', 'a.svg', '<svg/>', 'svg'],
  ['.svg', 'a.svg', '<html><svg/></html>', undefined],
  ['.html', 'a.html', '<p>x</p>', 'html'],
  ['.xhtml', 'a.htm', '<!doctype html>', 'html'],
  // Text and JSON.
  ['.geojson', 'a.geojson', '{"type":"FeatureCollection","features":[]}', 'geojson'],
  ['application/geo+json', 'a.geojson', '{}', 'geojson'],
  ['.ics', 'a.ics', 'BEGIN:VCALENDAR', 'ics'],
  ['text/calendar', 'a.ics', 'BEGIN:VCALENDAR', 'ics'],
  ['.yml', 'a.yaml', 'a: 1', 'yaml'],
  ['.webmanifest', 'a.webmanifest', '{}', 'webmanifest'],
  ['text/*', 'a.ics', 'BEGIN:VCALENDAR', 'ics'],
  ['text/*', 'a.ini', 'a = 1', 'txt'],
  ['text/*', 'a.html', '<p>x</p>', 'txt'],
  ['', 'a.log', 'a line', 'txt'],
  ['.log', 'a.log', 'a line', 'log'],
  ['.csv', 'a.csv', Buffer.from('M\xfcller', 'latin1'), undefined],
  // Archives, compound files, unknown bytes.
  ['.kmz', 'a.kmz', ZIP, 'kmz'],
  ['.3mf', 'a.3mf', ZIP, '3mf'],
  ['.docx', 'a.docx', ZIP, undefined],
  ['.doc,.xls', 'a.xls', COMPOUND, 'xls'],
  ['application/msword', 'a.doc', COMPOUND, 'doc'],
  ['.stl', 'a.stl', UNKNOWN, 'stl'],
  ['.stl', 'a.obj', UNKNOWN, undefined],
  ['', 'a.stl', UNKNOWN, undefined],
  ['application/octet-stream', 'a.stl', UNKNOWN, 'bin'],
  // What the bytes tell, the name does not change.
  ['.stl', 'a.stl', PNG, undefined],
  ['.stl,.png', 'a.stl', PNG, 'png'],
  // Other names of the same type.
  ['.jpe', 'a.png', PNG, undefined],
  ['.apng', 'a.png', PNG, 'png'],
  ['application/x-zip-compressed', 'a.zip', ZIP, 'zip'],
  ['text/xml', 'a.xml', `${XML}<a/>`, 'xml'],
];

test('a field takes by extension what bytes cannot tell apart, and by bytes what may run', async () => {
  for (const [accept, name, bytes, expected] of CASES) {
    const field = { name: 'paper', type: 'file' as const, ...(accept === '' ? {} : { attributes: { accept } }) };
    const content = await readContent(Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes));
    assert.is(findAccepted(field, content, name), expected, `${accept} ${name} ${String(bytes).slice(0, 30)}`);
  }
});

test('an image field takes pictures only', async () => {
  const field = { name: 'face', type: 'image' as const, attributes: { accept: '.png,.gpx' } };
  assert.is(findAccepted(field, await readContent(PNG), 'a.png'), 'png');
  assert.is(findAccepted(field, await readContent(Buffer.from(`${XML}<gpx/>`)), 'a.gpx'), undefined);
  assert.match(String(findUnmet(field, '.gpx')), /not a picture/);
  assert.is(findUnmet(field, '.png'), undefined);
  assert.is(findUnmet(field, 'image/*'), undefined);
});

test.run();
