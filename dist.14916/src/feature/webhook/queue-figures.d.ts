import type { FigureSource } from '../../core/figure.ts';
import type { Outbox } from './outbox.ts';
/** Metrics of the web hook queue. */
export declare const listQueueFigures: ({ queue }: Outbox) => FigureSource;
