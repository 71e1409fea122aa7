import { usePluginPagesQuery } from '#renderer/features/plugins/use-plugin-pages.ts';
import { t } from '#renderer/language/translate.ts';
import { FetchFailure } from '#renderer/ui/FetchFailure.tsx';
import { useProfileQuery } from './profile.ts';

/** Over every page: what all of them are made by, and could not be fetched. Without a word pages and buttons would be missing. */
export const FrameFailures = () => (
  <>
    <FetchFailure
      query={useProfileQuery()}
      text={t('What you may do could not be fetched, so that pages and buttons are missing.')}
    />
    <FetchFailure query={usePluginPagesQuery()} text={t('The pages of other programs could not be fetched.')} />
  </>
);
