import type { Contribution, Facts } from '../../plan/feature.ts';
import { systemModelBatch } from './events/system-model-batch.ts';
import { systemModelCreate } from './events/system-model-create.ts';
import { systemModelDetail } from './events/system-model-detail.ts';
import { systemModelImport } from './events/system-model-import.ts';
import { systemModelRemove } from './events/system-model-remove.ts';
import { systemModelRestore } from './events/system-model-restore.ts';
import { systemModelSearch } from './events/system-model-search.ts';
import { systemModelUpdate } from './events/system-model-update.ts';
import { systemRelationLink } from './events/system-relation-link.ts';
import { systemRelationUnlink } from './events/system-relation-unlink.ts';
import { systemRelationUnlinkAll } from './events/system-relation-unlink-all.ts';
import { systemUploadClean } from './events/system-upload-clean.ts';
import { createRowPlans } from './row-plans.ts';

export function contribute({ model }: Facts): Contribution {
  const plans = createRowPlans(model);
  return {
    events: [
      systemModelSearch,
      systemModelDetail,
      systemModelCreate(plans),
      systemModelUpdate(plans),
      systemModelRemove,
      systemModelRestore,
      systemModelBatch,
      systemModelImport(plans),
      systemRelationLink,
      systemRelationUnlink,
      systemRelationUnlinkAll,
      systemUploadClean,
    ],
  };
}
