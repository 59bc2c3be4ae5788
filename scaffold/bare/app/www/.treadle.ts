import template from './src/bootstrap/template';
import statics from './src/controller/static';
import events from './src/events';

// Treadle calls them once, in this order: the virtual method, the static pages, the events.
export default [template, statics, events];
