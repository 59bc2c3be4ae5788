import { toCurl } from './curl.ts';
import { toFetch } from './sample-fetch.ts';
import { toPhp } from './sample-php.ts';
import { toPython } from './sample-python.ts';
import { listVariables, type SampleRequest } from './sample-request.ts';

/** A text in one language, for the tabs of a page. */
export interface Sample {
  /** Stored in the reader's browser, so that every page shows the same language. */
  readonly language: string;
  readonly label: string;
  readonly text: string;
}

export interface SampleSet {
  readonly samples: readonly Sample[];
  /** Environment variables that the samples read. */
  readonly variables: readonly string[];
}

/** The same request in each language. */
export function toSamples(request: SampleRequest): SampleSet {
  return {
    samples: [
      { language: 'curl', label: 'curl', text: toCurl(request) },
      { language: 'js', label: 'JavaScript', text: toFetch(request) },
      { language: 'python', label: 'Python', text: toPython(request) },
      { language: 'php', label: 'PHP', text: toPhp(request) },
    ],
    variables: listVariables(request),
  };
}
