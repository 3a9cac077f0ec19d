import { deepEqual } from '@flotilla/machinery';
import { labelsCell } from '../core/cells.ts';
import { defineKind } from '../core/define-kind.ts';
import { containerCells } from './cells.ts';
import { dropDisabledFields } from './disabled-fields.ts';
import { setTemplateDefaults } from './pod-defaults.ts';
import { podOptions, strictOptions } from './pod-options.ts';
import { podTemplateErrors } from './pod-spec.ts';
import { podTemplateWarnings } from './pod-warnings.ts';
import { existingTemplate } from './templates.ts';
import type { PodTemplate } from './workload-types.ts';

/** v1 PodTemplate. */
export const podTemplate = defineKind<PodTemplate>({
  generation: 'spec',
  validateOnUpdate: false,
  defaults: ({ template }) => setTemplateDefaults(template),
  prepareForCreate: ({ template }) => dropDisabledFields(template.spec, undefined),
  prepareForUpdate: ({ template }, old) => dropDisabledFields(template.spec, old.template.spec),
  validate: ({ template }) => podTemplateErrors(template, 'template', strictOptions),
  validateUpdate: ({ template }, old) =>
    podTemplateErrors(template, 'template', podOptions(existingTemplate(old.template))),
  warnings: ({ template }, old) =>
    old !== undefined && deepEqual(template, old.template)
      ? []
      : podTemplateWarnings(template, 'template'),
  cells: ({ metadata, template }) => [
    metadata.name ?? '',
    ...containerCells(template.spec.containers),
    labelsCell(template.metadata?.labels),
  ],
});
