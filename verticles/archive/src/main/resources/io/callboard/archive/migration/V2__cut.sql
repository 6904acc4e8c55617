-- Events that were cut out of callboard_event, because the cell went back behind them: kept for auditors only.
create table callboard_cut_event (
  cut_at timestamp(3) with time zone not null,
  feed varchar(200) not null,
  feed_position bigint not null,
  actor varchar(200) not null,
  turn bigint not null,
  event_number bigint not null,
  committed_at timestamp(3) with time zone not null,
  event_type varchar(300) not null,
  type_version int not null,
  body varchar not null
);

create index callboard_cut_event_of_feed on callboard_cut_event (feed, feed_position);

-- Whether a projection has applied events that were cut: its tables are emptied before it goes on.
alter table callboard_projection add column rebuild boolean default false not null;
