import template from './src/bootstrap/template';
import article from './src/controller/article';
import statics from './src/controller/static';
import events from './src/events';

// Treadle calls them once, in this order: the virtual method, the static pages, the articles, the events.
export default [template, statics, article, events];
