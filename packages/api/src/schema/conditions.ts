import { integer, listByKey, object, oneOf, optional, text, time } from './builders.ts';

/** The conditions of a status, each owned by whoever sets it. */
export const conditions = listByKey(
  'What is known about the object, one entry per aspect.',
  'type',
  object('One aspect of the state.', {
    type: text('The aspect, in CamelCase.', { maxLength: 316 }),
    status: oneOf('Whether it holds.', ['True', 'False', 'Unknown']),
    reason: text('Why, in one word for programs.', { minLength: 1, maxLength: 1024 }),
    message: text('Why, in a sentence for people.', { maxLength: 32_768 }),
    lastTransitionTime: time('When the status last changed.'),
    observedGeneration: optional(
      integer('The generation of the object that this was said about.', { minimum: 0, wide: true }),
    ),
  }),
);
