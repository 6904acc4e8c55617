-- For the deletion of the oldest jobs of a type that has a retention of its own.
create index callboard_job_by_type_and_end on callboard_job (job_type, state, ended_at);
