import { Pointer } from './_hand.ts';
import { toSuite } from './_walk.ts';

toSuite({
  name: 'without scripts, 390 pixels wide',
  width: 390,
  hasScripts: false,
  isShort: true,
  schemes: [],
  make: (page) => new Pointer(page, false),
}).run();
